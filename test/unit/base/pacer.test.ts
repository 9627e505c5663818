import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { Pacer } from '../../../src/base/pacer.ts';

/** Work whose runs end when they are told to. */
function work(): { run: () => Promise<void>; runs: (() => void)[] } {
  const runs: (() => void)[] = [];
  return { runs, run: () => new Promise((resolve) => runs.push(resolve)) };
}

const turn = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a pacer', () => {
  it('runs at once, and once more for all that was asked meanwhile', async () => {
    const { run, runs } = work();
    const pacer = new Pacer(run, 5);
    for (let n = 0; n < 10; n += 1) pacer.ask();
    assert.equal(runs.length, 1);
    runs[0]?.();
    while (runs.length < 2) await turn();
    runs[1]?.();
    await turn(20);
    assert.equal(runs.length, 2, 'nothing was asked since');
    pacer.dispose();
  });

  it('leaves a gap between two runs', async () => {
    const times: number[] = [];
    const pacer = new Pacer(async () => void times.push(performance.now()), 40);
    const asking = setInterval(() => pacer.ask(), 1);
    while (times.length < 4) await turn(5);
    clearInterval(asking);
    pacer.dispose();
    for (const [n, time] of times.slice(1).entries())
      assert.ok(time - (times[n] ?? 0) >= 38, `${time - (times[n] ?? 0)} ms`);
  });

  it('does nothing once it is disposed', async () => {
    const { run, runs } = work();
    const pacer = new Pacer(run, 1);
    pacer.ask();
    pacer.ask();
    pacer.dispose();
    runs[0]?.();
    pacer.ask();
    await turn(15);
    assert.equal(runs.length, 1);
  });
});
