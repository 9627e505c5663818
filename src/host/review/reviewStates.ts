import * as vscode from 'vscode';
import type { JobRecord } from '../../protocol/job.ts';
import { groupOf } from '../../protocol/jobGroup.ts';
import type { FeedJob, ReviewState } from '../../protocol/ui/uiTools.ts';
import type { HostParts } from '../hostParts.ts';

interface Known {
  readonly job: FeedJob | null;
  readonly state: Promise<ReviewState>;
}

const MAX_KNOWN = 50;

/** What there is to decide about each job that is looked at, asked for again whenever the job or its worktree has changed. */
export class ReviewStates implements vscode.Disposable {
  readonly #parts: Pick<HostParts, 'link' | 'jobs'>;
  readonly #known = new Map<string, Known>();
  readonly #changes = new vscode.EventEmitter<string>();
  /** Fires the id of a job whose state has to be asked for again. */
  readonly onDidChange = this.#changes.event;
  readonly #subscription: { dispose(): void };

  constructor(parts: Pick<HostParts, 'link' | 'jobs'>) {
    this.#parts = parts;
    this.#subscription = parts.jobs.onDidChange(() => {
      for (const [jobId, { job }] of [...this.#known])
        if (parts.jobs.job(jobId) !== job) this.forget(jobId);
    });
  }

  async get(jobId: string): Promise<ReviewState> {
    const known = this.#known.get(jobId);
    if (known !== undefined) return known.state;
    const state = this.#parts.link.call('review_job', { jobId });
    this.#known.set(jobId, { job: this.#parts.jobs.job(jobId), state });
    // A failure is not kept: whoever looks next asks again.
    state.catch(() => {
      if (this.#known.get(jobId)?.state === state) this.#known.delete(jobId);
    });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return state;
  }

  /** The record of a job, of whatever repository. */
  async record(jobId: string): Promise<JobRecord> {
    return (
      this.#parts.jobs.job(jobId) ?? (await this.#parts.link.call('job_status', { jobId })).job
    );
  }

  /** Whether there is something left to decide about the job, in a worktree of its own. */
  async isOpen(jobId: string): Promise<boolean> {
    const job = await this.record(jobId);
    return job.isolation === 'worktree' && groupOf(job) === 'review';
  }

  forget(jobId: string): void {
    if (this.#known.delete(jobId)) this.#changes.fire(jobId);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
  }
}
