import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { retryDelayMs } from '../../../../../src/bridge/runners/loop/retryDelay.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('retryDelayMs', () => {
  const table: {
    name: string;
    failed: number;
    after: number | null;
    least: number;
    most: number;
  }[] = [
    { name: 'first', failed: 1, after: null, least: 500, most: 1000 },
    { name: 'second', failed: 2, after: null, least: 1000, most: 2000 },
    { name: 'third', failed: 3, after: null, least: 2000, most: 4000 },
    { name: 'fourth', failed: 4, after: null, least: 4000, most: 8000 },
    { name: 'later ones are as the fourth', failed: 9, after: null, least: 4000, most: 8000 },
    { name: 'Retry-After 0 counts', failed: 3, after: 0, least: 0, most: 0 },
    {
      name: 'Retry-After 8, at most a quarter later',
      failed: 1,
      after: 8,
      least: 8000,
      most: 10_000,
    },
    {
      name: 'Retry-After 60, at most 5 s later',
      failed: 1,
      after: 60,
      least: 60_000,
      most: 65_000,
    },
    { name: 'a longer one is cut to 120 s', failed: 1, after: 9999, least: 120_000, most: 125_000 },
    { name: 'a negative one is none', failed: 1, after: -5, least: 0, most: 0 },
  ];
  for (const { name, failed, after, least, most } of table) {
    it(name, () => {
      assert.equal(retryDelayMs(failed, after, 0), least);
      fc.assert(
        fc.property(random, (value) => {
          const delayMs = retryDelayMs(failed, after, value);
          assert.ok(delayMs >= least && delayMs <= most, `${delayMs}`);
        }),
      );
    });
  }
});
