import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { failoverTurn } from '../../../../src/bridge/routing/failoverTurn.ts';

describe('failoverTurn', () => {
  const table: readonly (readonly [waitedS: number, turn: number | null])[] = [
    [0, null],
    [4.999, null],
    [5, 0],
    [14.999, 0],
    [15, 1],
    [25, null],
    [1e6, null],
  ];
  for (const [waitedS, turn] of table) {
    it(`after ${waitedS} s of 5 s for the first and 10 s for each of two: ${turn}`, () => {
      const settings = { primaryWaitMs: 5_000, graceMs: 10_000 };
      assert.equal(failoverTurn(waitedS * 1000, settings, 2), turn);
    });
  }

  it('one try is one try: without any wait the chain is asked at once, and without grace each has its round', () => {
    const settings = { primaryWaitMs: 0, graceMs: 0 };
    assert.equal(failoverTurn(0, settings, 2), 0);
    assert.equal(failoverTurn(1_000, settings, 2), 1);
    assert.equal(failoverTurn(2_000, settings, 2), null);
  });

  it('turns come in order, each once, whatever the times, and then never again', () => {
    const ms = fc.integer({ min: 0, max: 60_000 });
    fc.assert(
      fc.property(ms, ms, fc.integer({ min: 0, max: 5 }), (primaryWaitMs, graceMs, members) => {
        const turns: (number | null)[] = [];
        for (let at = 0; at < primaryWaitMs + (members + 2) * Math.max(graceMs, 1_000); at += 1_000)
          turns.push(failoverTurn(at, { primaryWaitMs, graceMs }, members));
        const seen = turns.filter((turn, index) => turn !== turns[index - 1]);
        const order = Array.from({ length: members }, (_, index) => index);
        assert.deepEqual(
          seen.filter((turn) => turn !== null),
          order,
        );
        assert.equal(turns.at(-1), null);
      }),
    );
  });
});
