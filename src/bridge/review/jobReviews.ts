import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import type { AcceptOptions, AcceptOutcome, Caller } from '../bridgeTypes.ts';
import { gateFinishedJob } from '../gateFinishedJob.ts';
import { findJob } from '../jobs/findJob.ts';
import { recoverAccepts } from '../recoverAccepts.ts';
import type { MergeInputs } from '../worktrees/mergeInputs.ts';
import { abandonJob } from './abandonJob.ts';
import { acceptJob } from './acceptJob.ts';
import { dropFiles } from './dropFiles.ts';
import { jobMergeInputs } from './jobMergeInputs.ts';
import { rejectFinishedJob } from './rejectFinishedJob.ts';
import { restoreRejectedJob } from './restoreRejectedJob.ts';
import { type ReviewFile, reviewFile, type ReviewFileOptions } from './reviewFile.ts';
import { type ReviewState, reviewState } from './reviewState.ts';
import { saveReviewFile } from './saveReviewFile.ts';
import { undoAcceptedJob } from './undoAcceptedJob.ts';

/** What is done with the results of jobs that are over. Jobs are named as `Bridge.job` has it. */
export class JobReviews {
  readonly #context: BridgeContext;

  constructor(context: BridgeContext) {
    this.#context = context;
  }

  /** What there is to decide about a job right now. */
  async state(id: string): Promise<ReviewState> {
    return reviewState(this.#context, this.#job(id));
  }

  /** One side of a changed file. */
  async file(id: string, options: ReviewFileOptions): Promise<ReviewFile> {
    return reviewFile(this.#context, this.#job(id), options);
  }

  /** The texts for a merge editor. */
  async mergeInputs(id: string, path: string): Promise<MergeInputs> {
    return jobMergeInputs(this.#context, this.#job(id), path);
  }

  /** Writes the job's side of a file of a job that waits for review. */
  async saveFile(
    id: string,
    path: string,
    content: Buffer,
  ): Promise<{ sizeBytes: number; mtimeMs: number }> {
    this.#context.assertUnrestricted();
    return saveReviewFile(this.#context, this.#job(id), path, content);
  }

  async accept(id: string, caller: Caller, options: AcceptOptions = {}): Promise<AcceptOutcome> {
    this.#context.assertUnrestricted();
    await recoverAccepts(this.#context);
    return acceptJob(this.#context, this.#job(id), caller, options);
  }

  async undoAccept(id: string, caller: Caller): Promise<AcceptOutcome> {
    this.#context.assertUnrestricted();
    await recoverAccepts(this.#context);
    return undoAcceptedJob(this.#context, this.#job(id), caller);
  }

  /** Rejects single files, or takes that back. */
  async dropFiles(
    id: string,
    caller: Caller,
    options: { files: readonly string[]; isTakenBack?: boolean },
  ): Promise<JobRecord> {
    this.#context.assertUnrestricted();
    const { files, isTakenBack = false } = options;
    return dropFiles(this.#context, this.#job(id), caller, { files, isTakenBack });
  }

  async reject(id: string, caller: Caller): Promise<JobRecord> {
    this.#context.assertUnrestricted();
    return rejectFinishedJob(this.#context, this.#job(id), caller);
  }

  async restore(id: string, caller: Caller): Promise<JobRecord> {
    this.#context.assertUnrestricted();
    return restoreRejectedJob(this.#context, this.#job(id), caller);
  }

  async abandon(id: string, caller: Caller): Promise<JobRecord> {
    this.#context.assertUnrestricted();
    return abandonJob(this.#context, this.#job(id), caller);
  }

  /** Runs a gate again on what is in the tree of a finished job now; null: the gate it had. */
  async runGate(id: string, gate: string | null, signal?: AbortSignal): Promise<JobRecord> {
    this.#context.assertUnrestricted();
    return gateFinishedJob(this.#context, this.#job(id), gate, signal);
  }

  #job(id: string): JobRecord {
    return findJob(this.#context.store, id).record;
  }
}
