import { existsSync } from 'node:fs';
import { BridgeError } from '../base/bridgeError.ts';
import type { JobRequest, Policy } from '../protocol/job.ts';
import type { StoredJob } from './jobs/jobRow.ts';

export interface RetryOptions {
  readonly endpoint?: string;
  readonly model?: string;
  readonly policy?: Policy;
}

/**
 * The request of a job, to be made again: same brief, folder, isolation, gate and limits, in a session and a tree of its own. A model
 * that is named without an endpoint may run anywhere.
 */
export function retryRequest({ record, spec }: StoredJob, options: RetryOptions): JobRequest {
  if (!existsSync(record.cwd)) {
    throw new BridgeError('bad_argument', `The folder of the job is gone: ${record.cwd}.`, {
      hint: 'Delegate the task again in another folder.',
    });
  }
  const {
    resumeJob: _resumed,
    endpoint: asked,
    cancelWithClient: _client,
    provider,
    model,
    ...request
  } = spec.request;
  const isElsewhere = options.endpoint !== undefined || options.model !== undefined;
  // A provider and its name for a model go together.
  const from = isElsewhere && provider !== undefined ? {} : { provider, model };
  const endpoint = options.endpoint ?? (options.model === undefined ? asked : undefined);
  return {
    ...request,
    ...(from.provider === undefined ? {} : { provider: from.provider }),
    ...(from.model === undefined ? {} : { model: from.model }),
    cwd: record.cwd,
    isolation: record.isolation,
    ...(record.readOnly ? { readOnly: true } : {}),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.policy === undefined ? {} : { policy: options.policy }),
  };
}
