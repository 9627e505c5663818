import { groupOf } from '../../protocol/jobGroup.ts';
import type { HostParts } from '../hostParts.ts';
import { jobArguments } from './jobArgument.ts';
import { showFailure } from './showFailure.ts';

/** Ends the review of jobs without a word about their content. Their worktrees stay until they are cleaned up. */
export async function abandonJobCommand(
  args: readonly unknown[],
  parts: HostParts,
): Promise<readonly string[]> {
  const { link, log } = parts;
  const ids = await jobArguments(args, parts, {
    title: 'Put which job aside?',
    fits: (job) => groupOf(job) === 'review',
    none: 'No job waits for a review.',
  });
  const done: string[] = [];
  for (const jobId of ids) {
    try {
      await link.call('abandon_job', { jobId });
      done.push(jobId);
    } catch (error) {
      void showFailure(error, log);
    }
  }
  return done;
}
