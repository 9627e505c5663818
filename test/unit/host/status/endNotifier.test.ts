import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { JobsChange } from '../../../../src/host/jobs/jobList.ts';
import { EndNotifier } from '../../../../src/host/status/endNotifier.ts';
import { groupOf } from '../../../../src/protocol/jobGroup.ts';
import type { FeedJob } from '../../../../src/protocol/ui/uiTools.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';
import { reviewJob, runningJob } from '../../../support/feedJob.ts';

const OPENED = Date.parse('2026-07-01T10:00:00Z');
const at = (offsetS: number): string => new Date(OPENED + offsetS * 1000).toISOString();

class World {
  readonly clock = new FakeClock();
  readonly told: string[][] = [];
  readonly #changes = new Emitter<JobsChange>((error) => assert.fail(String(error)));
  readonly #jobs = new Map<string, FeedJob>();
  readonly #answers: (() => void)[] = [];
  readonly notifier: EndNotifier;

  constructor(isWanted: (job: FeedJob) => boolean = () => true) {
    this.notifier = new EndNotifier({
      jobs: {
        jobs: (group) => [...this.#jobs.values()].filter((job) => groupOf(job) === group),
        onDidChange: this.#changes.event,
      },
      clock: this.clock,
      openedAtMs: OPENED,
      isWanted,
      show: (jobs) => {
        this.told.push(jobs.map(({ id }) => id));
        return new Promise((resolve) => this.#answers.push(resolve));
      },
    });
  }

  put(...jobs: FeedJob[]): void {
    for (const job of jobs) this.#jobs.set(job.id, job);
    this.#changes.fire({ changed: [], groups: new Set(), isWhole: true });
  }

  runs(id: string): void {
    this.put(runningJob({ id }));
  }

  ends(id: string, more: Partial<FeedJob> = {}): void {
    this.put(reviewJob({ id, finishedAt: at(5), ...more }));
  }

  async answer(): Promise<void> {
    this.#answers.shift()?.();
    await settled();
  }
}

describe('the notification of an end', () => {
  it('comes within a second for a job that ran alone, once however often its record changes', async () => {
    const world = new World();
    world.runs('a');
    await world.clock.advance(10_000);
    world.ends('a');
    await world.clock.advance(1000);
    world.ends('a', { toolCalls: 3 });
    await world.answer();
    await world.clock.advance(300_000);
    assert.deepEqual(world.told, [['a']]);
  });

  it('is one for several that end within a minute, and comes with the last of them', async () => {
    const world = new World();
    for (const id of ['a', 'b', 'c']) world.runs(id);
    world.ends('a');
    await world.clock.advance(20_000);
    world.ends('b');
    await world.clock.advance(20_000);
    assert.deepEqual(world.told, []);
    world.ends('c');
    await world.clock.advance(1000);
    assert.deepEqual(world.told, [['a', 'b', 'c']]);
  });

  it('waits no longer than a minute for the others', async () => {
    const world = new World();
    world.runs('long');
    world.runs('a');
    world.ends('a');
    await world.clock.advance(59_000);
    assert.deepEqual(world.told, []);
    await world.clock.advance(1000);
    assert.deepEqual(world.told, [['a']]);
  });

  it('comes at most once a minute while nobody answers, and at once after an answer', async () => {
    const world = new World();
    world.ends('a');
    await world.clock.advance(1000);
    world.ends('b');
    await world.clock.advance(30_000);
    world.ends('c');
    await world.clock.advance(28_000);
    assert.deepEqual(world.told, [['a']]);
    await world.clock.advance(2000);
    assert.deepEqual(world.told, [['a'], ['b', 'c']]);
    await world.answer();
    await world.answer();
    world.ends('d');
    await world.clock.advance(1000);
    assert.deepEqual(world.told.at(-1), ['d']);
  });

  it('is none for what ended before the window was opened, and for what is not wanted', async () => {
    const world = new World(({ status }) => status !== 'cancelled');
    world.ends('old', { finishedAt: at(-1) });
    world.ends('stopped', { status: 'cancelled' });
    await world.clock.advance(120_000);
    assert.deepEqual(world.told, []);
  });

  it('is none for a job that was decided about while it waited', async () => {
    const world = new World();
    world.runs('long');
    world.ends('a');
    await world.clock.advance(10_000);
    world.ends('a', {
      review: { status: 'accepted', by: 'person:vscode', at: at(9), files: [], dropped: [] },
    });
    await world.clock.advance(120_000);
    assert.deepEqual(world.told, []);
  });

  it('leaves no timer behind', () => {
    const world = new World();
    world.ends('a');
    world.notifier.dispose();
    assert.equal(world.clock.pending, 0);
  });
});
