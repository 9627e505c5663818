import type { JobRecord } from '../protocol/job.ts';
import { statusLine } from '../protocol/statusLine.ts';
import { isOver } from '../server/toolAnswers.ts';
import type { BridgeApi } from '../server/bridgeApi.ts';
import type { CliContext } from './cliContext.ts';
import { LiveLine } from './liveLine.ts';

/** For terminals that do not say their width, or say 0. */
const DEFAULT_COLUMNS = 80;
/** A wait longer than this is asked for again: timers have a limit. */
const WAIT_SLICE_MS = 3_600_000;

/** Shows how a job is doing until it is over or `signal` says to stop looking, and returns it as it is then. */
export async function followJob(
  jobId: string,
  bridge: BridgeApi,
  context: CliContext,
  signal: AbortSignal,
): Promise<JobRecord> {
  const line = new LiveLine(
    context.stderr,
    context.stderr.isTTY === true,
    context.stderr.columns || DEFAULT_COLUMNS,
  );
  const show = (job: JobRecord): void => {
    const position = job.status === 'queued' ? bridge.queuePosition(job.id) : null;
    line.show(statusLine(job, context.now(), position), job.status);
  };
  let job = bridge.job(jobId);
  show(job);
  while (!isOver(job) && !signal.aborted) {
    await bridge.wait([jobId], {
      mode: 'all',
      timeoutMs: WAIT_SLICE_MS,
      signal,
      onProgress: ([changed]) => {
        if (changed !== undefined) show(changed);
      },
    });
    job = bridge.job(jobId);
  }
  line.end();
  return job;
}
