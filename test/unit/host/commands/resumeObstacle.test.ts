import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { resumeObstacle } from '../../../../src/host/commands/resumeObstacle.ts';

type Job = Parameters<typeof resumeObstacle>[0];
const TREE: Job['worktree'] = {
  id: 't',
  root: '/t',
  branch: null,
  base: 'c',
  kept: true,
  note: null,
  setup: null,
  included: [],
};
const REVIEW: Job['review'] = {
  status: 'pending',
  by: null,
  at: null,
  files: [],
  dropped: [],
};
const job = (part: Partial<Job> = {}): Job => ({
  status: 'done',
  review: REVIEW,
  worktree: TREE,
  isolation: 'worktree',
  filesChanged: [],
  sessionId: 's',
  cwd: '/repo',
  ...part,
});

describe('resumeObstacle', () => {
  const cases: [string, Job, RegExp | null][] = [
    ['a finished job with its tree', job(), null],
    ['a failed one', job({ status: 'failed' }), null],
    ['a cancelled one', job({ status: 'cancelled' }), null],
    ['one that worked in the folder', job({ isolation: 'none', worktree: null }), null],
    ['a running one', job({ status: 'running' }), /not over.*Wait/],
    ['a waiting one', job({ status: 'queued' }), /not over/],
    ['one without a session', job({ sessionId: null }), /no session.*Retry/],
    [
      'a rejected one',
      job({ worktree: { ...TREE, kept: false }, review: { ...REVIEW, status: 'rejected' } }),
      /gone.*Restore/,
    ],
    [
      'an accepted one',
      job({ worktree: { ...TREE, kept: false }, review: { ...REVIEW, status: 'accepted' } }),
      /gone.*Undo/,
    ],
  ];
  for (const [what, record, expected] of cases) {
    it(`says of ${what}: ${expected === null ? 'nothing' : expected.source}`, () => {
      const obstacle = resumeObstacle(record);
      if (expected === null) assert.equal(obstacle, null);
      else assert.match(`${obstacle?.message ?? ''} ${obstacle?.hint ?? ''}`, expected);
    });
  }
});
