import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import type { Caller } from '../bridgeTypes.ts';
import { bringBack } from './putAway.ts';
import { reviewerOf } from './reviewRules.ts';
import { shareVerdict } from './shareVerdict.ts';

/** Brings a job that was rejected, whole or in part, back for review: what was accepted of it stays so, all else is open again. */
export async function restoreRejectedJob(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
): Promise<JobRecord> {
  if (job.isolation === 'none') {
    throw new BridgeError(
      'not_supported',
      'The job worked in the checkout itself; what was taken back there is under "delegate undo".',
      {
        hint: `Run "delegate undo ${job.id}".`,
      },
    );
  }
  const { status } = job.review;
  const isPutAway = status === 'partly' && job.worktree?.kept === false;
  const restored = status === 'rejected' || isPutAway ? await bringBack(context, job) : null;
  if (restored === null) {
    throw new BridgeError('wrong_state', `The job ${job.id} has not been rejected.`, {
      hint: 'There is nothing to restore.',
    });
  }
  const record = context.store.update(job.id, (present) => ({
    ...present,
    worktree: restored.tree,
    review: {
      status: present.review.files.length === 0 ? 'pending' : 'partly',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
      files: present.review.files,
      dropped: [],
    },
    warnings: [
      ...present.warnings,
      ...restored.missing.map((path) => `${path} could not be copied again.`),
    ],
  }));
  return shareVerdict(context, record);
}
