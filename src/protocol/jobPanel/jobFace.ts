import type { JobRecord } from '../job.ts';

/** The tones of a state; each repeats what the icon and the words say. */
type JobTone = 'live' | 'good' | 'attention' | 'bad' | 'quiet';

interface JobFace {
  /** Name of a codicon. */
  readonly icon: string;
  readonly tone: JobTone;
  /** The state in a few words, for whoever does not see the icon. */
  readonly words: string;
}

type FaceOf = Pick<JobRecord, 'status' | 'review' | 'gate' | 'filesChanged'>;

/** How a job looks at a glance: what it does while it lives, and what came of it afterwards. */
export function jobFace(job: FaceOf): JobFace {
  switch (job.status) {
    case 'queued':
      return { icon: 'clock', tone: 'quiet', words: 'Waiting' };
    case 'starting':
      return { icon: 'loading', tone: 'live', words: 'Starting' };
    case 'running':
      return { icon: 'loading', tone: 'live', words: 'Running' };
    case 'gating':
      return { icon: 'loading', tone: 'live', words: 'Gate running' };
    case 'cancelled':
      return decided(job) ?? { icon: 'circle-slash', tone: 'quiet', words: 'Cancelled' };
    case 'lost':
      return decided(job) ?? { icon: 'debug-disconnect', tone: 'bad', words: 'Lost' };
    case 'failed':
      return decided(job) ?? { icon: 'error', tone: 'bad', words: 'Failed' };
    case 'timeout':
      return decided(job) ?? { icon: 'error', tone: 'bad', words: 'Ran out of time' };
    case 'refused':
      return { icon: 'error', tone: 'bad', words: 'Refused' };
    case 'done':
      return decided(job) ?? judged(job);
  }
}

function decided({ review }: FaceOf): JobFace | null {
  switch (review.status) {
    case 'accepted':
      return { icon: 'check-all', tone: 'good', words: 'Accepted' };
    case 'rejected':
      return { icon: 'discard', tone: 'quiet', words: 'Rejected' };
    case 'abandoned':
      return { icon: 'archive', tone: 'quiet', words: 'Put aside' };
    case 'pending':
    case 'partly':
    case 'none':
      return null;
  }
}

function judged({ gate, review }: FaceOf): JobFace {
  const where =
    review.status === 'pending'
      ? ', for review'
      : review.status === 'partly'
        ? ', partly accepted'
        : '';
  if (gate?.status === 'passed')
    return { icon: 'pass', tone: 'good', words: `Gate passed${where}` };
  if (gate?.status === 'failed')
    return { icon: 'warning', tone: 'attention', words: `Gate failed${where}` };
  if (gate?.status === 'tampered')
    return { icon: 'warning', tone: 'attention', words: `Gate tampered with${where}` };
  // Nothing to review and nothing to check: an answer in words, say.
  if (where === '') return { icon: 'pass', tone: 'quiet', words: 'Done, no gate' };
  return { icon: 'warning', tone: 'attention', words: `No gate${where}` };
}
