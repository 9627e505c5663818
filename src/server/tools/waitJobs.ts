import * as z from 'zod';
import type { JobRecord } from '../../protocol/job.ts';
import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { jobSummary, jobSummarySchema } from '../../protocol/mcpJobSummary.ts';
import { jobProvenance, noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { defineTool } from '../tool.ts';
import { isOver } from '../toolAnswers.ts';
import { WATCH_HINT, watchCommand } from '../watchCommand.ts';

const DEFAULT_TIMEOUT_S = 120;

export const waitJobs = defineTool({
  name: 'wait_jobs',
  title: 'Wait for jobs',
  description:
    'Waits until any or all of the jobs have ended, or the time is over, and answers with what there is by then. Call again with the ids in "pending".',
  effect: 'read',
  isIdempotent: true,
  input: z.strictObject({
    job_ids: z.array(z.string().min(1)).min(1).max(100),
    mode: z.enum(['any', 'all']).optional().describe('Default all'),
    timeout_s: z.number().min(0).max(86_400).optional().describe(`Default ${DEFAULT_TIMEOUT_S}`),
  }),
  output: answerSchema({
    mode: z.enum(['any', 'all']),
    timed_out: z.boolean(),
    finished: z.array(
      z.looseObject({ id: z.string(), provenance: z.string(), result: z.string().nullable() }),
    ),
    pending: z.array(jobSummarySchema),
    watch: z.string(),
    watch_hint: z.string(),
  }),
  run: async (args, { bridge, now, reportProgress, signal }) => {
    const { mode = 'all', timeout_s: timeoutS = DEFAULT_TIMEOUT_S } = args;
    // Looked up first, so that an unknown id is said at once and not after the wait.
    const jobs = args.job_ids.map((id) => bridge.job(id));
    const ids = [...new Set(jobs.map((job) => job.id))];
    const waiting = jobs.filter((job) => !isOver(job));
    if (waiting.length > 0) reportProgress(waiting);
    const { finished, pending, isTimedOut } = await bridge.wait(ids, {
      mode,
      timeoutMs: timeoutS * 1000,
      signal,
      onProgress: (changed) => reportProgress(changed),
    });
    const pendingIds = pending.map((job) => job.id);
    return {
      provenance: noModelProvenance(
        `${finished.length} of ${formatPlural(ids.length, 'job')} ended, each with its own provenance${isTimedOut ? ' · the time was over' : ''}`,
      ),
      fields: {
        mode,
        timed_out: isTimedOut,
        finished: finished.map((job) => finishedJob(job, now())),
        pending: pending.map((job) => jobSummary(job, now(), bridge.queuePosition(job.id))),
        ...(pendingIds.length === 0
          ? {}
          : { watch: watchCommand(bridge.stateDir, pendingIds), watch_hint: WATCH_HINT }),
      },
      resourceUri: 'delegate://jobs',
    };
  },
});

function finishedJob(job: JobRecord, now: Date): Record<string, unknown> {
  return {
    provenance: jobProvenance(job),
    ...jobSummary(job, now),
    failure: job.failure,
    result: job.result,
    result_truncated: job.resultTruncated,
    usage: toWire(job.usage),
    warnings: job.warnings,
  };
}
