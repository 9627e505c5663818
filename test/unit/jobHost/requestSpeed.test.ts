import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { requestSpeed } from '../../../src/jobHost/requestSpeed.ts';

describe('requestSpeed', () => {
  const table: [
    output: number | null,
    first: number | null,
    total: number,
    speed: number | null,
  ][] = [
    [100, 1000, 3000, 50],
    [33, 0, 1000, 33],
    [null, 0, 1000, null],
    [100, null, 1000, null],
    [1, 0, 1000, null],
    [100, 1000, 1000, null],
  ];
  for (const [output, msFirstByte, msTotal, speed] of table) {
    it(`${output} tokens from ${msFirstByte} to ${msTotal} ms: ${speed}`, () => {
      const usage = { input: null, output, cacheRead: null, cacheWrite: null };
      assert.equal(requestSpeed({ usage, msFirstByte, msTotal }), speed);
    });
  }
});
