import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LoopTotals } from '../../../../../src/bridge/runners/loop/loopTotals.ts';
import type { TurnTrace } from '../../../../../src/bridge/runners/loop/wire/turnTypes.ts';

const NOTHING = { input: null, output: null, cacheRead: null, cacheWrite: null };
const trace = (given: Partial<TurnTrace>): TurnTrace => ({
  status: 200,
  msFirstByte: 1,
  msTotal: 2,
  bytesIn: 1,
  bytesOut: 1,
  modelServed: null,
  usage: NOTHING,
  stopReason: null,
  error: null,
  ...given,
});

describe('LoopTotals', () => {
  it('what nobody reported stays null, and what somebody did is added up', () => {
    const totals = new LoopTotals();
    totals.add(trace({}));
    assert.deepEqual(totals.usage, NOTHING);
    totals.add(trace({ usage: { ...NOTHING, input: 5, output: 2 } }));
    totals.add(trace({ usage: { ...NOTHING, input: 7, output: 1, cacheRead: 3 } }));
    assert.deepEqual(totals.usage, { input: 12, output: 3, cacheRead: 3, cacheWrite: null });
    assert.equal(totals.contextUsed, 11);
  });

  it('a request without an answer is no proof; one with a refusal was answered, but uses no window', () => {
    const totals = new LoopTotals();
    totals.add(trace({ status: null, error: 'refused' }));
    assert.equal(totals.requests, 0);
    totals.add(trace({ status: 429, error: 'too many', usage: { ...NOTHING, input: 1 } }));
    assert.deepEqual([totals.requests, totals.contextUsed], [1, null]);
  });

  it('a model is known when somebody named it, and only there', () => {
    const totals = new LoopTotals();
    totals.add(trace({ modelServed: 'a' }));
    totals.add(trace({}));
    assert.equal(totals.modelServed, 'a');
    totals.moved();
    assert.deepEqual([totals.modelServed, totals.requests], [null, 0]);
  });
});
