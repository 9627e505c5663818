import { briefLine } from '../../protocol/briefLine.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';

/** A job as messages call it: “Fix the off-by-one in range()”. */
export function jobName(job: Pick<FeedJob, 'id' | 'task'>): string {
  const line = briefLine(job.task, 60);
  return line === '' ? job.id : `“${line}”`;
}
