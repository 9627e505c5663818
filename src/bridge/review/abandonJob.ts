import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import type { Caller } from '../bridgeTypes.ts';
import { isFinal } from '../jobs/status.ts';
import { reviewerOf, stillRunning } from './reviewRules.ts';

/** Ends the review of a job without a word about its content. */
export function abandonJob(context: BridgeContext, job: JobRecord, caller: Caller): JobRecord {
  if (!isFinal(job.status)) throw stillRunning(job);
  if (job.review.status !== 'pending') {
    const state =
      job.review.status === 'none' ? 'has nothing to review' : `is ${job.review.status} already`;
    throw new BridgeError('wrong_state', `The job ${job.id} ${state}.`, {
      hint: 'Only a result that nobody has decided about can be abandoned.',
    });
  }
  return context.store.update(job.id, (present) => ({
    ...present,
    review: {
      ...present.review,
      status: 'abandoned',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
    },
  }));
}
