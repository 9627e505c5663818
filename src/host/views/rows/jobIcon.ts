import type { FeedJob } from '../../../protocol/ui/uiTools.ts';
import { isStalled } from './jobFacts.ts';
import { FAILED, MUTED, PASSED, WARNING, type RowIcon } from './row.ts';

/** One icon a state: the shape says it, the colour repeats it. */
export function jobIcon(job: FeedJob, now: Date): RowIcon {
  switch (job.status) {
    case 'queued':
      return { id: 'clock' };
    case 'starting':
    case 'running':
    case 'gating':
      return isStalled(job, now) ? { id: 'watch', color: WARNING } : { id: 'loading~spin' };
    case 'done':
    case 'failed':
    case 'timeout':
    case 'cancelled':
    case 'lost':
    case 'refused':
      return reviewIcon(job) ?? endIcon(job);
  }
}

/** What a person has decided stands before how the job ended. */
function reviewIcon({ review }: FeedJob): RowIcon | null {
  switch (review.status) {
    case 'accepted':
      return { id: 'check-all', color: PASSED };
    case 'rejected':
      return { id: 'discard', color: MUTED };
    case 'abandoned':
      return { id: 'archive', color: MUTED };
    case 'pending':
    case 'partly':
    case 'none':
      return null;
  }
}

function endIcon(job: FeedJob): RowIcon {
  switch (job.status) {
    case 'cancelled':
      return { id: 'circle-slash' };
    case 'lost':
      return { id: 'debug-disconnect', color: WARNING };
    case 'done':
      return checkIcon(job);
    default:
      return { id: 'error', color: FAILED };
  }
}

/** "Done" is not "verified": only a gate that passed on this very content makes the green one. */
function checkIcon({ gate, filesChanged }: FeedJob): RowIcon {
  if (gate?.status === 'failed' || gate?.status === 'tampered')
    return { id: 'warning', color: WARNING };
  if (gate?.status === 'passed' && gate.covers === 'exact') return { id: 'pass', color: PASSED };
  return filesChanged.length > 0 ? { id: 'unverified', color: WARNING } : { id: 'comment' };
}
