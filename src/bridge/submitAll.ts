import { BridgeError } from '../base/bridgeError.ts';
import type { JobRecord, JobRequest } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { Caller } from './bridgeTypes.ts';
import { type DecidedJob, keepJob } from './keepJob.ts';
import { submitJob } from './submitJob.ts';

/** One entry for each request, in order: either every request has its job, or none has and what cannot run has its error. */
export interface SubmittedAll {
  readonly jobs: readonly (JobRecord | null)[];
  readonly errors: readonly (BridgeError | null)[];
}

/** Queues all requests, or none when one of them cannot run. A BridgeError in the place of a request is one that is no request. */
export async function submitAll(
  context: BridgeContext,
  requests: readonly (JobRequest | BridgeError)[],
  caller: Caller,
  defaultCwd: string,
): Promise<SubmittedAll> {
  const decided = await Promise.all(
    requests.map((request) => decide(context, request, caller, defaultCwd)),
  );
  const errors = decided.map((one) => (one instanceof BridgeError ? one : null));
  const jobs = decided.flatMap((one) => (one instanceof BridgeError ? [] : [one]));
  if (jobs.length < decided.length) return { jobs: errors.map(() => null), errors };
  context.store.transaction(() => {
    for (const job of jobs) keepJob(context, job);
  });
  return { jobs: jobs.map(({ record }) => record), errors };
}

async function decide(
  context: BridgeContext,
  request: JobRequest | BridgeError,
  caller: Caller,
  defaultCwd: string,
): Promise<DecidedJob | BridgeError> {
  if (request instanceof BridgeError) return request;
  const decided: DecidedJob[] = [];
  try {
    await submitJob(context, request, caller, defaultCwd, (_context, job) => decided.push(job));
  } catch (error) {
    return BridgeError.from(error);
  }
  const [job] = decided;
  if (job === undefined) return new BridgeError('internal', 'Nothing was decided about a task.');
  return job.refusal ?? job;
}
