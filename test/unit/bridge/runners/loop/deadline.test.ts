import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Deadline } from '../../../../../src/bridge/runners/loop/deadline.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';

describe('Deadline', () => {
  const slices: [limitS: number, sliceS: number][] = [
    [3600, 30],
    [120, 30],
    [60, 15],
    [4, 1],
  ];
  for (const [limitS, sliceS] of slices) {
    it(`of ${limitS} s: an attempt needs ${sliceS} s`, async () => {
      const clock = new FakeClock();
      const deadline = new Deadline(clock, limitS * 1000);
      assert.equal(deadline.leastSliceMs, sliceS * 1000);
      await clock.advance((limitS - sliceS) * 1000);
      assert.equal(deadline.hasSliceAfter(0), true);
      assert.equal(deadline.hasSliceAfter(1), false);
    });
  }

  it('aborts when it is reached, and not when it was called off', async () => {
    const clock = new FakeClock();
    const [kept, calledOff] = [new Deadline(clock, 1000), new Deadline(clock, 1000)];
    calledOff.dispose();
    await clock.advance(999);
    assert.equal(kept.signal.aborted, false);
    await clock.advance(1);
    assert.deepEqual([kept.signal.aborted, calledOff.signal.aborted], [true, false]);
    assert.equal(kept.leftMs, 0);
  });
});
