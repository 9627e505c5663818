import type { JobRequest } from '../../protocol/job.ts';

/**
 * What was decided at submit and is needed to start the job in any process: the request, the served model, the limits that
 * the job touches. No secret is ever part of it: keys are resolved in the job host.
 */
export interface JobSpec {
  readonly request: JobRequest;
  readonly servedModel: string;
  readonly pool: string;
  readonly poolSlots: number;
  readonly endpointLimit: number | null;
  readonly exclusiveGroup: string | null;
  /** The job's repository (real path of its top folder), or null outside git. */
  readonly repoRoot: string | null;
  readonly timeoutS: number;
  readonly idleTimeoutS: number;
  /** Where `--config` pointed when the job was submitted: the host reads the same files. */
  readonly configFile: string | null;
  /** The session and worktree that a resumed job goes on with. */
  readonly resume: {
    readonly jobId: string;
    readonly sessionId: string;
    readonly worktreeId: string | null;
  } | null;
}
