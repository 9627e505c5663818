import { newRecord } from '../../src/bridge/jobs/newRecord.ts';
import type { FeedJob } from '../../src/protocol/ui/uiTools.ts';

/** When the jobs of the tests were submitted. */
export const CREATED_AT = '2026-07-01T10:00:00.000Z';

/** A job as the feed gives it: queued, unless fields say otherwise. */
export function feedJob(fields: Partial<FeedJob> = {}): FeedJob {
  return {
    ...newRecord({
      id: 'claude-code-1',
      task: 'Fix the off-by-one in range()\n\nThe last number is missing.',
      runner: 'claude-code',
      client: { name: 'claude-code', session: null, pid: null },
      policy: 'any',
      cwd: '/repo',
      isolation: 'worktree',
      createdAt: CREATED_AT,
    }),
    queuePosition: null,
    repoRoot: '/repo',
    seq: 1,
    ...fields,
  };
}

export const WORKTREE: NonNullable<FeedJob['worktree']> = {
  id: 'w1',
  root: '/trees/w1',
  branch: 'delegate/w1',
  base: '0123456789abcdef0123456789abcdef01234567',
  kept: true,
  note: null,
  setup: null,
  included: [],
};

export function gate(
  fields: Partial<NonNullable<FeedJob['gate']>> = {},
): NonNullable<FeedJob['gate']> {
  return {
    name: 'tests',
    kind: 'tests',
    status: 'passed',
    base: 'red',
    covers: 'exact',
    exit: 0,
    durationS: 3,
    tail: '',
    protectedChanged: [],
    ...fields,
  };
}

export function changedFile(
  path: string,
  fields: Partial<FeedJob['filesChanged'][number]> = {},
): FeedJob['filesChanged'][number] {
  return {
    path,
    oldPath: null,
    change: 'modified',
    additions: 12,
    deletions: 2,
    binary: false,
    oldMode: null,
    newMode: null,
    ...fields,
  };
}

/** Done, with changes in a worktree that nobody has decided about. */
export function reviewJob(fields: Partial<FeedJob> = {}): FeedJob {
  return feedJob({
    status: 'done',
    startedAt: CREATED_AT,
    finishedAt: '2026-07-01T10:04:12.000Z',
    elapsedS: 252,
    endpoint: 'tower',
    modelServed: 'qwen3.8-27b',
    worktree: WORKTREE,
    filesChanged: [
      changedFile('src/range.ts'),
      changedFile('test/range.test.ts', { additions: 6 }),
    ],
    gate: gate(),
    review: { status: 'pending', by: null, at: null, files: [], dropped: [] },
    ...fields,
  });
}

export function runningJob(fields: Partial<FeedJob> = {}): FeedJob {
  return feedJob({
    status: 'running',
    startedAt: CREATED_AT,
    endpoint: 'tower',
    turns: 9,
    context: { window: 131_072, used: 40_632 },
    speedTps: 82.4,
    lastActivity: { at: CREATED_AT, text: 'Edit src/range.ts' },
    ...fields,
  });
}
