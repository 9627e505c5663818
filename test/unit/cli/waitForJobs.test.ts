import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { waitForJobs, type WaitForJobsOptions } from '../../../src/cli/waitForJobs.ts';
import type { JobRecord, JobStatus } from '../../../src/protocol/job.ts';
import type { BridgeApi } from '../../../src/server/bridgeApi.ts';
import { sampleGate, sampleJob } from '../protocol/sampleJob.ts';
import { cliDouble } from './cliDouble.ts';

/** Jobs by id, each with the statuses it has at one wait after the other; null: it is not in the store yet. */
type Story = Readonly<Record<string, readonly (JobStatus | null)[]>>;

function storyBridge(story: Story): Partial<BridgeApi> {
  let step = 0;
  const find = (id: string): JobRecord => {
    const states = story[id] ?? [];
    const status = states[Math.min(step, states.length - 1)] ?? null;
    if (status === null) throw new BridgeError('unknown_job', `There is no job ${id}.`);
    return sampleJob({ id, task: `Task ${id}`, status, elapsedS: 5 });
  };
  return {
    job: find,
    wait: async (ids) => {
      step += 1;
      return { finished: [], pending: ids.map(find), isTimedOut: false };
    },
  };
}

async function wait(story: Story, options: Partial<WaitForJobsOptions> = {}) {
  return waitWith(storyBridge(story), { ids: Object.keys(story), ...options });
}

async function waitWith(told: Partial<BridgeApi>, options: Partial<WaitForJobsOptions> = {}) {
  const { context, bridge, written } = cliDouble(told);
  const code = await waitForJobs({
    ids: ['a'],
    isPrintedAtEnd: false,
    isJson: false,
    timeoutMs: null,
    bridge,
    context,
    ...options,
  });
  return {
    code,
    lines: written.stdout.split('\n').filter((line) => line !== ''),
    stderr: written.stderr,
  };
}

const idsOf = (lines: readonly string[]): string[] => lines.map((line) => line.split(' ')[0] ?? '');

describe('waitForJobs', () => {
  it('prints each job as it ends, in that order', async () => {
    const { code, lines } = await wait({
      a: ['running', 'running', 'done'],
      b: ['running', 'done'],
    });
    assert.equal(code, 0);
    assert.deepEqual(idsOf(lines), ['b', 'a']);
    assert.equal(lines[0], 'b Task b: done in 0:05 · no gate');
  });

  it('with --all prints at the end', async () => {
    const { code, lines } = await wait(
      { a: ['running', 'done'], b: ['done'] },
      { isPrintedAtEnd: true },
    );
    assert.equal(code, 0);
    assert.deepEqual(idsOf(lines).sort(), ['a', 'b']);
  });

  for (const status of ['failed', 'timeout', 'cancelled', 'lost', 'refused'] as const) {
    it(`${status} makes it 1, and the others are still waited for`, async () => {
      const { code, lines } = await wait({ a: [status], b: ['running', 'done'] });
      assert.equal(code, 1);
      assert.deepEqual(idsOf(lines), ['a', 'b']);
    });
  }

  for (const [status, code] of [
    ['passed', 0],
    ['failed', 1],
    ['tampered', 1],
  ] as const) {
    it(`done with a gate that is ${status} makes it ${code}`, async () => {
      const job = sampleJob({ id: 'a', status: 'done', elapsedS: 5, gate: sampleGate({ status }) });
      const ended = await waitWith({ job: () => job });
      assert.equal(ended.code, code);
      assert.equal(/but its gate/.test(ended.lines[0] ?? ''), code === 1, ended.lines[0]);
    });
  }

  it('an id that fits several jobs is said at once', async () => {
    const job = (): JobRecord => {
      throw new BridgeError('ambiguous_job', 'Several jobs fit a.');
    };
    await assert.rejects(waitWith({ job }, { timeoutMs: 60_000 }), { kind: 'ambiguous_job' });
  });

  it('a job that appears late is waited for', async () => {
    const { code, lines } = await wait({
      a: ['running', 'running', 'done'],
      late: [null, 'running', 'done'],
    });
    assert.equal(code, 0);
    assert.deepEqual(idsOf(lines).sort(), ['a', 'late']);
  });

  it('an id that never appears makes it 2, and says which', async () => {
    const { code, lines, stderr } = await wait(
      { a: ['done'], ghost: [null] },
      { appearLimitMs: 50 },
    );
    assert.equal(code, 2);
    assert.deepEqual(idsOf(lines), ['a'], 'what has ended is printed');
    assert.equal(stderr, 'There is no job ghost.\n');
  });

  it('the time makes it 3, also while an id has not appeared: the first limit decides', async () => {
    const { code, stderr } = await wait(
      { a: ['running'], ghost: [null] },
      { timeoutMs: 30, appearLimitMs: 10_000 },
    );
    assert.equal(code, 3);
    assert.equal(stderr, 'The time is over; not ended: a; not known: ghost\n');
  });

  it('with --timeout 0 says what is, and leaves', async () => {
    const { code, lines } = await wait(
      { a: ['done'], b: ['running'] },
      { timeoutMs: 0, isPrintedAtEnd: true },
    );
    assert.equal(code, 3);
    assert.deepEqual(idsOf(lines), ['a'], 'partial results survive');
  });

  it('--json prints one object per line with v', async () => {
    const { lines } = await wait({ a: ['done'], b: ['lost'] }, { isJson: true });
    const objects = lines.map(
      (line) => JSON.parse(line) as { v: number; id: string; status: string; status_line: string },
    );
    assert.deepEqual(
      objects.map(({ v, id, status }) => ({ v, id, status })),
      [
        { v: 1, id: 'a', status: 'done' },
        { v: 1, id: 'b', status: 'lost' },
      ],
    );
  });
});
