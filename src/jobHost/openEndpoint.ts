import { BridgeError } from '../base/bridgeError.ts';
import type { BridgeContext } from '../bridge/bridgeContext.ts';
import type { JobLogWriter } from '../bridge/jobs/jobLogWriter.ts';
import type { StoredJob } from '../bridge/jobs/jobRow.ts';
import { moveToStandIn } from '../bridge/jobs/moveToStandIn.ts';
import { noteEndpointFailure } from '../bridge/routing/endpointHealth.ts';
import { configForJob } from '../bridge/submittedConfig.ts';
import { setUpEndpoint, type JobEndpoint } from './jobSetup.ts';

/**
 * The endpoint of a job that starts. One that has gone since the job was admitted is noted for all, and the job goes to the next member
 * of its chain that has room, when errors are a reason to; nothing of it has run yet, so this holds for every runner.
 */
export async function openEndpoint(
  context: BridgeContext,
  asked: StoredJob,
  log: JobLogWriter,
  signal: AbortSignal,
): Promise<{ readonly endpoint: JobEndpoint; readonly job: StoredJob }> {
  const { store, stateDir } = context;
  for (let job = asked; ;) {
    try {
      return { endpoint: await setUpEndpoint(context, job, signal), job };
    } catch (error) {
      if (signal.aborted || !BridgeError.is(error, 'model_unavailable')) throw error;
      const { kind, message, hint, details } = error;
      const { id, endpoint } = job.record;
      const now = new Date();
      if (details['is_down'] === true && endpoint !== null)
        noteEndpointFailure(store, endpoint, { kind: 'connect', retryAfterS: null }, now);
      const { config } = configForJob(stateDir, id, context.loadConfig(job.spec.repoRoot));
      const why = { reason: message.replace(/\.$/, ''), failure: { kind, message, hint } };
      const moved = moveToStandIn(store, id, config, why, now);
      if (moved === null) throw error;
      log.transcript(
        `[failover] ${moved.record.endpoint ?? '?'} ${moved.spec.servedModel}: ${message}`,
      );
      job = moved;
    }
  }
}
