import { BridgeError } from '../base/bridgeError.ts';
import type { JobRecord, JobRequest } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { JobSpec } from './jobs/jobSpec.ts';
import { isFinal } from './jobs/status.ts';

/**
 * The job that a call goes on with; null when it begins anew.
 * @throws BridgeError unknown_job, wrong_state
 */
export function findPrevious(context: BridgeContext, request: JobRequest): JobRecord | null {
  if (request.resumeJob === undefined) return null;
  const previous = context.store.find(request.resumeJob)?.record;
  if (previous === undefined) {
    throw new BridgeError('unknown_job', `There is no job ${request.resumeJob} to resume.`);
  }
  if (!isFinal(previous.status)) {
    throw new BridgeError('wrong_state', `The job ${previous.id} is still ${previous.status}.`, {
      hint: 'Wait for its end, or cancel it, before it is resumed.',
    });
  }
  if (previous.sessionId === null) {
    throw new BridgeError('wrong_state', `The job ${previous.id} has no session to resume.`, {
      hint: 'Delegate the task again.',
    });
  }
  return previous;
}

/** A resumed job stays where its session was: same endpoint, same model, unless the call names another. */
export function resumedRoute(
  context: BridgeContext,
  request: JobRequest,
  previous: JobRecord | null,
): Pick<JobRequest, 'model' | 'endpoint' | 'policy' | 'runner'> {
  const stays = request.model === undefined && request.endpoint === undefined;
  const model =
    request.model ??
    (stays ? previousModel(context, previous) : null) ??
    previous?.modelRequested ??
    undefined;
  const endpoint =
    request.endpoint ?? (request.model === undefined ? previous?.endpoint : undefined) ?? undefined;
  const policy = request.policy ?? previous?.policy;
  return {
    ...(model === undefined ? {} : { model }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(policy === undefined ? {} : { policy }),
    ...(request.runner === undefined ? {} : { runner: request.runner }),
  };
}

/** A session that a stand-in has led is not one of the model that was asked for. */
function previousModel(context: BridgeContext, previous: JobRecord | null): string | null {
  if (previous === null || previous.fallback === null) return null;
  return context.store.find(previous.id)?.spec.servedModel ?? null;
}

export function resumeOf(previous: JobRecord | null): JobSpec['resume'] {
  if (previous === null || previous.sessionId === null) return null;
  return {
    jobId: previous.id,
    sessionId: previous.sessionId,
    worktreeId: previous.worktree?.id ?? null,
  };
}
