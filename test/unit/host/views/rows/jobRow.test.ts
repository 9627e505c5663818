import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { jobRow } from '../../../../../src/host/views/rows/jobRow.ts';
import type { FeedJob } from '../../../../../src/protocol/ui/uiTools.ts';
import {
  changedFile,
  CREATED_AT,
  feedJob,
  gate,
  reviewJob,
  runningJob,
  WORKTREE,
} from '../../../../support/feedJob.ts';

const at = (offsetS: number): Date => new Date(Date.parse(CREATED_AT) + offsetS * 1000);
const NOW = at(252);
const review = (fields: Partial<FeedJob['review']>): Pick<FeedJob, 'review'> => ({
  review: { status: 'pending', by: null, at: null, files: [], dropped: [], ...fields },
});
const failure = { kind: 'x', message: 'tower answered 503: still loading.', hint: 'Wait.' };
const fresh = { lastActivity: { at: at(250).toISOString(), text: 'Edit a' } };

/** Name, job, icon, description, context value, words. */
const TABLE: readonly (readonly [string, FeedJob, string, string, string, string])[] = [
  [
    'runs',
    runningJob(fresh),
    'loading~spin',
    '4:12 · turn 9 · ctx 31 % · 82 tok/s · tower',
    ';job;running;running;',
    'running, for 4 minutes, turn 9, on tower',
  ],
  [
    'runs without an answer so far',
    runningJob({ ...fresh, turns: null, speedTps: null, context: { window: null, used: null } }),
    'loading~spin',
    '4:12 · no answer yet · tower',
    ';job;running;running;',
    'running, for 4 minutes, on tower',
  ],
  [
    'has stalled',
    runningJob({ lastActivity: { at: at(92).toISOString(), text: 'x' } }),
    'watch',
    'no progress for 2:40 · 4:12 · turn 9 · ctx 31 % · 82 tok/s · tower',
    ';job;running;running;',
    'running, for 4 minutes, no progress for more than 2 minutes, turn 9, on tower',
  ],
  [
    'runs at a stand-in',
    runningJob({
      ...fresh,
      fallback: { from: 'a', to: 'deepseek-v4-flash', reason: 'down' },
      retry: { count: 2, inS: null },
    }),
    'loading~spin',
    'answered by deepseek-v4-flash instead · 4:12 · turn 9 · ctx 31 % · 82 tok/s · retry 2 · tower',
    ';job;running;running;',
    'running, for 4 minutes, turn 9, answered by deepseek-v4-flash instead, on tower',
  ],
  [
    'starts',
    runningJob({ status: 'starting', startedAt: null }),
    'loading~spin',
    '4:12 · starting · tower',
    ';job;running;starting;',
    'starting, for 4 minutes, turn 9, on tower',
  ],
  [
    'runs its gate, which says nothing for long',
    runningJob({ status: 'gating' }),
    'loading~spin',
    '4:12 · gate running · tower',
    ';job;running;gating;',
    'gate running, for 4 minutes, turn 9, on tower',
  ],
  [
    'waits',
    feedJob({ queueReason: 'pool_full', queuePosition: 2, endpoint: 'tower' }),
    'clock',
    '2nd in line · its pool is full · 4:12 · tower',
    ';job;waiting;queued;',
    'waiting, 2nd in line, on tower',
  ],
  [
    'is for review, gate passed',
    reviewJob(),
    'pass',
    '2 files +18 −4 · gate passed · qwen3.8-27b',
    ';job;review;done;hasChanges;hasTree;',
    'for review, gate passed, 2 files changed, answered by qwen3.8-27b',
  ],
  [
    'is for review, gate failed',
    reviewJob({ gate: gate({ status: 'failed', exit: 1 }), sessionId: 's' }),
    'warning',
    '2 files +18 −4 · gate failed (tests, exit 1) · qwen3.8-27b',
    ';job;review;done;hasChanges;hasTree;session;',
    'for review, gate failed (tests, exit 1), 2 files changed, answered by qwen3.8-27b',
  ],
  [
    'has no gate',
    reviewJob({ gate: null }),
    'unverified',
    '2 files +18 −4 · no gate · qwen3.8-27b',
    ';job;review;done;hasChanges;hasTree;',
    'for review, no gate, 2 files changed, answered by qwen3.8-27b',
  ],
  [
    'was edited after its gate',
    reviewJob({ gate: gate({ covers: 'edited' }) }),
    'unverified',
    '2 files +18 −4 · gate passed, edited since · qwen3.8-27b',
    ';job;review;done;hasChanges;hasTree;',
    'for review, gate passed, edited since, 2 files changed, answered by qwen3.8-27b',
  ],
  [
    'tampered with its gate',
    reviewJob({ gate: gate({ status: 'tampered' }) }),
    'warning',
    '2 files +18 −4 · gate tampered with (tests) · qwen3.8-27b',
    ';job;review;done;hasChanges;hasTree;',
    'for review, gate tampered with (tests), 2 files changed, answered by qwen3.8-27b',
  ],
  [
    'failed, and left changes',
    reviewJob({ status: 'failed', failure, gate: null }),
    'error',
    'failed: tower answered 503: still loading. · 2 files +18 −4 · qwen3.8-27b',
    ';job;review;failed;hasChanges;hasTree;',
    'for review, failed: tower answered 503: still loading., 2 files changed, answered by qwen3.8-27b',
  ],
  [
    'was lost before its changes could be listed',
    reviewJob({ status: 'lost', filesChanged: [], gate: null, modelServed: null }),
    'debug-disconnect',
    'its process was lost',
    ';job;review;lost;hasChanges;hasTree;',
    'for review, its process was lost',
  ],
  [
    'is taken in part',
    reviewJob(review({ status: 'partly', files: ['src/range.ts'], by: 'person:vscode' })),
    'pass',
    '1 of 2 accepted · 2 files +18 −4 · gate passed · qwen3.8-27b',
    ';job;review;done;hasChanges;hasTree;undoable;',
    'for review, 1 of 2 accepted, gate passed, 2 files changed, answered by qwen3.8-27b',
  ],
  [
    'was accepted',
    reviewJob({
      ...review({ status: 'accepted', files: ['src/range.ts'] }),
      worktree: { ...WORKTREE, kept: false },
    }),
    'check-all',
    'accepted · 2 files +18 −4 · gate passed · qwen3.8-27b · 4:12',
    ';job;finished;done;undoable;',
    'finished, accepted, gate passed, 2 files changed, answered by qwen3.8-27b',
  ],
  [
    'was rejected',
    reviewJob({ ...review({ status: 'rejected' }), worktree: { ...WORKTREE, kept: false } }),
    'discard',
    'rejected · 2 files +18 −4 · gate passed · qwen3.8-27b · 4:12',
    ';job;finished;done;rejected;',
    'finished, rejected, gate passed, 2 files changed, answered by qwen3.8-27b',
  ],
  [
    'was rejected in place, which is undone another way',
    reviewJob({ ...review({ status: 'rejected' }), isolation: 'none', worktree: null }),
    'discard',
    'rejected · 2 files +18 −4 · gate passed · qwen3.8-27b · 4:12',
    ';job;finished;done;undoable;',
    'finished, rejected, gate passed, 2 files changed, answered by qwen3.8-27b',
  ],
  [
    'only answered',
    reviewJob({ ...review({ status: 'none' }), readOnly: true, filesChanged: [], gate: null }),
    'comment',
    'no changes · qwen3.8-27b · 4:12',
    ';job;finished;done;hasTree;',
    'finished, no changes, answered by qwen3.8-27b',
  ],
  [
    'was cancelled',
    feedJob({ status: 'cancelled', elapsedS: 7 }),
    'circle-slash',
    'cancelled · 0:07',
    ';job;finished;cancelled;',
    'finished, cancelled, no changes',
  ],
  [
    'was refused',
    feedJob({ status: 'refused', failure }),
    'error',
    'refused: tower answered 503: still loading.',
    ';job;finished;refused;',
    'finished, refused: tower answered 503: still loading., no changes',
  ],
];

describe('the row of a job', () => {
  for (const [name, job, icon, description, context, words] of TABLE) {
    it(`that ${name}`, () => {
      const row = jobRow(job, { now: NOW, isAllShown: false });
      assert.equal(row.label, 'Fix the off-by-one in range()');
      assert.equal(row.icon?.id, icon);
      assert.equal(row.description, description);
      assert.equal(row.contextValue, context);
      assert.equal(row.accessibleLabel, `${row.label}, ${words}`);
    });
  }

  it('says of which repository it is where all are shown', () => {
    const row = jobRow(reviewJob({ repoRoot: '/home/ann/range-tools' }), {
      now: NOW,
      isAllShown: true,
    });
    assert.match(row.description, / · range-tools$/);
    assert.match(row.accessibleLabel, /, range-tools$/);
  });

  it('does not change for screen readers while its time ticks', () => {
    const label = (offsetS: number): string =>
      jobRow(runningJob(fresh), { now: at(offsetS), isAllShown: false }).accessibleLabel;
    assert.equal(label(241), label(299));
    assert.notEqual(label(241), label(301));
  });

  it('opens the job where there is nothing to unfold, and unfolds its files where there is', () => {
    const kinds = [runningJob(), reviewJob()].map((job) => {
      const { children, command } = jobRow(job, { now: NOW, isAllShown: false });
      return [children, command?.name];
    });
    assert.deepEqual(kinds, [
      ['none', 'openJob'],
      ['collapsed', undefined],
    ]);
  });

  it('shows no control characters, line breaks or endless text of a model', () => {
    const evil = `a\u001b[31mred\u202e\n${'x'.repeat(5000)}`;
    const job = reviewJob({
      task: evil,
      modelServed: evil,
      status: 'failed',
      failure: { kind: 'x', message: evil, hint: '' },
      filesChanged: [changedFile('a')],
    });
    const { label, description, accessibleLabel } = jobRow(job, { now: NOW, isAllShown: false });
    for (const text of [label, description, accessibleLabel]) {
      // eslint-disable-next-line no-control-regex -- what must not be there
      assert.doesNotMatch(text, /[\u0000-\u001f\u202e]/);
      assert.ok(text.length < 700, `${text.length} characters`);
    }
  });
});
