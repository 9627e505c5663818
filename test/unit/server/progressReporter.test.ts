import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { ProgressReporter } from '../../../src/server/progressReporter.ts';
import { sampleJob } from '../protocol/sampleJob.ts';

describe('ProgressReporter', () => {
  it('tells a change at once, changes within a second as one, and repeats itself while nothing changes', async () => {
    let nowMs = Date.parse('2026-11-29T12:00:10.000Z');
    const sent: [number, string][] = [];
    let wake: () => void = () => undefined;
    const reporter = new ProgressReporter(
      (step, text) => {
        sent.push([step, text]);
        wake();
      },
      20,
      () => new Date(nowMs),
    );
    try {
      reporter.report([sampleJob()]);
      assert.deepEqual(sent, [[1, 'running 0:10 · no answer yet']]);
      reporter.report([sampleJob({ turns: 1 })]);
      assert.equal(sent.length, 1);
      nowMs += 5_000;
      await new Promise<void>((resolve) => (wake = resolve));
      assert.deepEqual(sent[1], [2, 'running 0:15 · turn 1 · no answer yet']);
      nowMs += 5_000;
      await new Promise<void>((resolve) => (wake = resolve));
      assert.deepEqual(sent[2], [3, 'running 0:20 · turn 1 · no answer yet']);
    } finally {
      reporter.dispose();
    }
  });

  it('counts those that have ended and names the brief of each of several jobs', () => {
    const sent: string[] = [];
    const reporter = new ProgressReporter(
      (_step, text) => sent.push(text),
      60_000,
      () => new Date('2026-11-29T12:00:10Z'),
    );
    reporter.report([
      sampleJob({ task: 'One' }),
      sampleJob({ task: 'Two', status: 'starting' }),
      sampleJob({
        task: 'Three',
        status: 'done',
        elapsedS: 5,
        finishedAt: '2026-11-29T12:00:05Z',
      }),
    ]);
    reporter.dispose();
    assert.deepEqual(sent, [
      '1/3 ended | One: running 0:10 · no answer yet | Two: starting 0:10 | Three: done in 0:05 · no gate',
    ]);
  });
});
