import { briefLine } from '../../protocol/briefLine.ts';
import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import { choose } from './choose.ts';
import type { EditedFiles } from './editedFiles.ts';
import type { ReviewStates } from './reviewStates.ts';
import { named, withoutIcons } from './reviewWords.ts';

export interface RejectFlowParts {
  readonly link: Pick<BridgeLink, 'call'>;
  readonly states: ReviewStates;
  readonly edited: EditedFiles;
}

/**
 * Rejects a job. Its worktree is kept for a restore, so it is asked only when that puts more away than the job's own work: edits of the
 * person, or changes in the folder itself. Undefined when the person left the question.
 */
export async function rejectJob(
  parts: RejectFlowParts,
  jobId: string,
): Promise<JobRecord | undefined> {
  const { link, states, edited } = parts;
  const job = await states.record(jobId);
  const paths = edited.of(jobId).paths;
  const question =
    job.isolation === 'none'
      ? 'The job worked in your folder itself: rejecting it takes its changes out of your files. Undo Accept puts them back.'
      : paths.length > 0
        ? `You edited ${named(paths)} in the review. Your edits are put away with the job; Restore brings both back.`
        : null;
  if (question !== null) {
    const answer = await choose(
      withoutIcons(`Reject: ${briefLine(job.task, 60)}`),
      withoutIcons(question),
      [{ label: 'Reject', detail: withoutIcons(question), value: true }],
    );
    if (answer !== true) return undefined;
  }
  const answer = await link.call('reject_job', { jobId });
  states.forget(jobId);
  return answer.job;
}
