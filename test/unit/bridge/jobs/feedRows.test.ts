import { afterEach, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FeedAnswer, FeedQuestion } from '../../../../src/bridge/jobs/feedRows.ts';
import type { JobSpec } from '../../../../src/bridge/jobs/jobSpec.ts';
import { JobStore } from '../../../../src/bridge/jobs/jobStore.ts';
import { JOB_STATUSES, reviewSchema, type JobRecord } from '../../../../src/protocol/job.ts';
import { groupOf } from '../../../../src/protocol/jobGroup.ts';
import { sampleJob } from '../../protocol/sampleJob.ts';

const ALL: FeedQuestion = { since: null, before: null, repoRoots: null, limit: 50 };

const specOf = (more: Partial<JobSpec> = {}): JobSpec => ({
  request: { task: 'x' },
  servedModel: 'm',
  pool: 'default',
  poolSlots: 6,
  endpointLimit: null,
  exclusiveGroup: null,
  alternatives: [],
  failoverSinceMs: null,
  repoRoot: '/repo',
  timeoutS: 1,
  idleTimeoutS: 1,
  configFile: null,
  resume: null,
  ...more,
});

const FILE = {
  path: 'a',
  oldPath: null,
  change: 'modified',
  additions: 1,
  deletions: 1,
  binary: false,
  oldMode: null,
  newMode: null,
} as const;
const TREE = {
  id: 't',
  root: '/t',
  branch: 'b',
  base: 'c',
  kept: true,
  note: null,
  setup: null,
  included: [],
};
const REVIEW = { status: 'none', by: null, at: null, files: [], dropped: [] } as const;

describe('the feed of jobs', () => {
  let dir: string;
  let store: JobStore;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'delegate-feed-'));
    store = new JobStore(dir);
  });
  afterEach(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const add = (id: string, more: Partial<JobRecord> = {}, spec: Partial<JobSpec> = {}): void =>
    store.insert(
      sampleJob({ id, status: 'done', review: { ...REVIEW, files: [], dropped: [] }, ...more }),
      specOf(spec),
    );
  const ids = (answer: FeedAnswer): string[] => answer.rows.map((row) => row.record.id);

  it('open is by the same rule in SQL as in protocol/jobGroup.ts', () => {
    const expected: [string, boolean][] = [];
    store.transaction(() => {
      for (const status of JOB_STATUSES)
        for (const review of reviewSchema.shape.status.options)
          for (const isolation of ['worktree', 'none'] as const)
            for (const filesChanged of [[], [FILE]])
              for (const worktree of [null, TREE, { ...TREE, kept: false }]) {
                const id = [status, review, isolation, filesChanged.length, worktree?.kept].join();
                const job = { status, isolation, filesChanged, worktree };
                add(id, { ...job, review: { ...REVIEW, status: review, files: [], dropped: [] } });
                expected.push([id, groupOf(store.find(id)?.record ?? sampleJob()) !== 'finished']);
              }
    });
    const open = new Set(ids(store.feed({ ...ALL, limit: 0 })));
    assert.deepEqual(
      expected.map(([id]) => [id, open.has(id)]),
      expected,
    );
    assert.ok(open.size > 100 && open.size < expected.length);
  });

  it('begins with everything open and a page of the rest, newest first', () => {
    for (let number = 1; number <= 6; number += 1) add(`done-${number}`);
    add('running', { status: 'running' });
    add('failed-for-review', {
      status: 'failed',
      worktree: TREE,
      filesChanged: [FILE],
      review: { ...REVIEW, status: 'pending', files: [], dropped: [] },
    });
    add('done-7');
    const answer = store.feed({ ...ALL, limit: 3 });
    assert.deepEqual(ids(answer), ['done-7', 'failed-for-review', 'running', 'done-6', 'done-5']);
    assert.equal(answer.finishedTotal, 7);
    assert.equal(answer.total, 9);
    assert.equal(answer.revision, store.revision());
  });

  it('goes on page by page, and every finished job comes once', () => {
    for (let number = 1; number <= 23; number += 1) add(`done-${number}`, {});
    add('running', { status: 'running' });
    const seen = ids(store.feed({ ...ALL, limit: 5 })).filter((id) => id !== 'running');
    for (;;) {
      const last = store.find(seen.at(-1) ?? '')?.seq ?? 0;
      const page = store.feed({ ...ALL, before: last, limit: 5 });
      if (page.rows.length === 0) break;
      seen.push(...ids(page));
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 23 }, (_, index) => `done-${23 - index}`),
    );
  });

  it('tells what has changed after a revision, and nothing else', () => {
    for (let number = 1; number <= 5; number += 1) add(`done-${number}`);
    const { revision } = store.feed(ALL);
    assert.deepEqual(ids(store.feed({ ...ALL, since: revision })), []);
    store.update('done-2', (record) => ({ ...record, warnings: ['later'] }));
    add('new', { status: 'running' });
    const changes = store.feed({ ...ALL, since: revision });
    assert.deepEqual(ids(changes), ['new', 'done-2']);
    assert.deepEqual(ids(store.feed({ ...ALL, since: changes.revision })), []);
  });

  it('counts and lists only the repositories that are asked for', () => {
    add('here', {}, { repoRoot: '/here' });
    add('there', {}, { repoRoot: '/there' });
    add('nowhere', {}, { repoRoot: null });
    const of = (...repoRoots: string[]): FeedAnswer => store.feed({ ...ALL, repoRoots });
    assert.deepEqual([ids(of('/here')), of('/here').total], [['here'], 1]);
    assert.deepEqual(ids(of('/here', '/there')), ['there', 'here']);
    assert.deepEqual(ids(of('/other')), []);
    assert.deepEqual(ids(store.feed({ ...ALL, repoRoots: ['/there'], since: 0 })), ['there']);
    assert.deepEqual(
      store.feed(ALL).rows.map((row) => row.repoRoot),
      [null, '/there', '/here'],
    );
  });

  it('gives each waiting job its place in the queue of its pool, over all repositories', () => {
    add('q1', { status: 'queued' }, { pool: 'glm', repoRoot: '/other' });
    add('q2', { status: 'queued' }, { pool: 'local' });
    add('q3', { status: 'queued' }, { pool: 'glm' });
    const places = (answer: FeedAnswer) =>
      answer.rows.map((row) => [row.record.id, row.queuePosition]);
    assert.deepEqual(places(store.feed(ALL)), [
      ['q3', 2],
      ['q2', 1],
      ['q1', 1],
    ]);
    assert.deepEqual(places(store.feed({ ...ALL, repoRoots: ['/repo'] })), [
      ['q3', 2],
      ['q2', 1],
    ]);
  });

  it('tells the others of a queue when somebody leaves it', () => {
    add('q1', { status: 'queued', startedAt: null });
    add('q2', { status: 'queued', startedAt: null });
    add('done');
    const { revision } = store.feed(ALL);
    store.update('q1', (record) => ({ ...record, status: 'starting' }));
    const changes = store.feed({ ...ALL, since: revision });
    assert.deepEqual(
      changes.rows.map((row) => [row.record.id, row.queuePosition]),
      [
        ['q2', 1],
        ['q1', null],
      ],
    );
  });

  it('a store of the first version is brought up to date, and its jobs are listed', () => {
    add('done');
    add('running', { status: 'running' });
    store.close();
    const old = new DatabaseSync(join(dir, 'bridge.sqlite'));
    old.exec(
      'DROP INDEX jobs_open; DROP INDEX jobs_repository; DROP INDEX jobs_revision; ALTER TABLE jobs DROP COLUMN is_open; PRAGMA user_version = 1',
    );
    const [row] = old.prepare("SELECT record FROM jobs WHERE id = 'done'").all();
    const record = JSON.parse(String(row?.['record'])) as { review: { dropped?: string[] } };
    delete record.review.dropped;
    old.prepare("UPDATE jobs SET record = ? WHERE id = 'done'").run(JSON.stringify(record));
    old.close();
    store = new JobStore(dir);
    assert.deepEqual(ids(store.feed({ ...ALL, limit: 0 })), ['running']);
    assert.deepEqual(store.feed(ALL).rows[1]?.record.review.dropped, []);
  });

  it('with 2 000 jobs a question for changes costs what it costs with 20', function () {
    this.timeout(60_000);
    const timeOf = (work: () => void, runs = 15): number => {
      work();
      const times = Array.from({ length: runs }, () => {
        const start = performance.now();
        work();
        return performance.now() - start;
      }).sort((a, b) => a - b);
      return times[Math.floor(runs / 2)] ?? 0;
    };
    store.transaction(() => {
      for (let number = 0; number < 20; number += 1) add(`few-${number}`);
    });
    const since = (): void => {
      store.feed({ ...ALL, since: store.revision() - 1, repoRoots: ['/repo'] });
    };
    const few = timeOf(since);
    store.transaction(() => {
      for (let number = 0; number < 1_980; number += 1) add(`many-${number}`);
    });
    const many = timeOf(since);
    const whole = timeOf(() => store.feed({ ...ALL, limit: 2_000, repoRoots: ['/repo'] }), 3);
    // A list of all would be a hundred times as much; counting an index is what grows.
    assert.ok(many < whole / 5, `${many} ms for one change, ${whole} ms for all`);
    assert.ok(many < few + 5, `${few} ms with 20 jobs, ${many} ms with 2 000`);
  });
});
