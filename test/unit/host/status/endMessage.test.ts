import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { endMessage } from '../../../../src/host/status/endMessage.ts';
import type { FeedJob } from '../../../../src/protocol/ui/uiTools.ts';
import { gate, reviewJob } from '../../../support/feedJob.ts';

const own = { client: { name: 'vscode', session: null, pid: null } };
const said = (...jobs: FeedJob[]): unknown[] => {
  const { text, isWarning, buttons } = endMessage(jobs);
  return [text, isWarning ? 'warning' : 'info', ...buttons.map(({ label }) => label)];
};

describe('what the notification of an end says', () => {
  it('of a job with a gate that passed: one click accepts it', () => {
    assert.deepEqual(said(reviewJob(own)), [
      'Fix the off-by-one in range() · gate passed · 2 files +18 −4',
      'info',
      'Review',
      'Accept',
      'Open Log',
    ]);
  });

  it('of a job that nothing has checked: it is looked at first', () => {
    assert.deepEqual(said(reviewJob({ ...own, gate: null })), [
      'Fix the off-by-one in range() · no gate · 2 files +18 −4',
      'info',
      'Review',
      'Open Log',
    ]);
    const edited = reviewJob({ ...own, gate: gate({ covers: 'edited' }) });
    assert.ok(!said(edited).includes('Accept'));
  });

  it('of a job that failed its gate, or failed itself: a warning with the reason', () => {
    assert.deepEqual(said(reviewJob({ ...own, gate: gate({ status: 'failed', exit: 1 }) })), [
      'Fix the off-by-one in range() · gate failed (tests, exit 1) · 2 files +18 −4',
      'warning',
      'Review',
      'Open Log',
    ]);
    const failure = { kind: 'backend_error', message: 'tower answered 503: loading.', hint: '' };
    assert.deepEqual(
      said(reviewJob({ ...own, status: 'failed', failure, filesChanged: [], worktree: null })),
      [
        'Fix the off-by-one in range() · failed: tower answered 503: loading.',
        'warning',
        'Open Job',
        'Open Log',
      ],
    );
  });

  it('of a job that somebody else started, by whom; of a stand-in, its name', () => {
    const [text] = said(reviewJob({ fallback: { from: 'a', to: 'b', reason: 'down' } }));
    assert.equal(
      text,
      'Fix the off-by-one in range() · answered by qwen3.8-27b instead · gate passed · 2 files +18 −4 · started by claude-code',
    );
  });

  it('of several: how many wait, with how many passed gates, how many failed', () => {
    assert.deepEqual(
      said(
        reviewJob({ id: '1' }),
        reviewJob({ id: '2', gate: null }),
        reviewJob({ id: '3', status: 'failed', worktree: null }),
      ),
      ['3 jobs ended: 2 to review, 1 with a gate that passed, 1 failed', 'warning', 'Review'],
    );
  });

  it('never makes a link of foreign text', () => {
    const [text] = said(reviewJob({ task: '[Accept](command:delegationBridge.acceptJob)' }));
    assert.doesNotMatch(String(text), /\]\(/);
  });
});
