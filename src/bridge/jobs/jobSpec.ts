import type { JobRequest, Locality } from '../../protocol/job.ts';

/** A member of the chain of the model that was routed to, found served and allowed at submit. */
export interface Alternative {
  readonly endpoint: string;
  readonly baseUrl: string;
  readonly locality: Locality;
  /** Served id. */
  readonly model: string;
  readonly pool: string;
  readonly poolSlots: number;
  readonly endpointLimit: number | null;
  readonly exclusiveGroup: string | null;
  /** Tokens per request; null: nobody said. */
  readonly contextWindow: number | null;
}

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
  /** Who may stand in, in order; of those, once one has the job, the ones after it. */
  readonly alternatives: readonly Alternative[];
  /** When the job was first found to wait for what a stand-in need not wait for; null: not so yet. */
  readonly failoverSinceMs: number | null;
  /** How many later jobs have got a place that this one wants too; absent: none. */
  readonly passedBy?: number;
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
