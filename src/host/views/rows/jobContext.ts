import { groupOf, type JobGroup } from '../../../protocol/jobGroup.ts';
import type { FeedJob } from '../../../protocol/ui/uiTools.ts';

/**
 * What the `when` clauses of package.json match: `;job;<group>;<status>;`, then of `hasChanges;` `hasTree;` `undoable;`
 * `rejected;` `session;` those that hold, in this order.
 */
export function jobContext(job: FeedJob, group: JobGroup = groupOf(job)): string {
  const isInPlace = job.isolation === 'none';
  const isOver = group === 'review' || group === 'finished';
  const hasTree = !isInPlace && job.worktree?.kept === true;
  const { status } = job.review;
  const flags: readonly (readonly [string, boolean])[] = [
    ['hasChanges', group === 'review' || (hasTree && job.filesChanged.length > 0)],
    ['hasTree', hasTree],
    [
      'undoable',
      status === 'accepted' ||
        (status === 'partly' && job.review.files.length > 0) ||
        (status === 'rejected' && isInPlace),
    ],
    ['rejected', status === 'rejected' && !isInPlace],
    ['session', isOver && job.sessionId !== null],
  ];
  const words = flags.filter(([, holds]) => holds).map(([word]) => `${word};`);
  return `;job;${group};${job.status};${words.join('')}`;
}
