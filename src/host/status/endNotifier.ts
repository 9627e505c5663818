import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import type { SupervisorClock } from '../bridge/serverSupervisor.ts';
import { JOB_GROUPS } from '../../protocol/jobGroup.ts';
import type { JobsModel } from '../jobs/jobsModel.ts';

export interface EndNotifierOptions {
  readonly jobs: Pick<JobsModel, 'jobs' | 'onDidChange'>;
  readonly clock: SupervisorClock;
  /** When the window was opened, in ms since 1970: what ended before is shown by the badge alone. */
  readonly openedAtMs: number;
  readonly isWanted: (job: FeedJob) => boolean;
  /** Shows one notification; resolves when the person has answered or closed it. */
  readonly show: (jobs: readonly FeedJob[]) => Promise<void>;
}

/** Ends within this time are told together. */
const TOGETHER_MS = 60_000;
/** So that jobs that end in the same moment are one notification from the start. */
const SETTLE_MS = 500;

/**
 * Tells once that jobs have ended. While others still run the notification waits up to a minute for them; after one that nobody
 * has answered the next comes a minute later at the earliest.
 */
export class EndNotifier {
  readonly #options: EndNotifierOptions;
  readonly #subscription: { dispose(): void };
  readonly #told = new Set<string>();
  #pending: string[] = [];
  #firstPendingAtMs = 0;
  #quietUntilMs = Number.NEGATIVE_INFINITY;
  #cancel: () => void = () => undefined;

  constructor(options: EndNotifierOptions) {
    this.#options = options;
    this.#subscription = options.jobs.onDidChange(() => this.#look());
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#cancel();
  }

  #look(): void {
    const { clock } = this.#options;
    const ended = this.#ended().filter(({ id }) => !this.#told.has(id));
    if (ended.length > 0 && this.#pending.length === 0) this.#firstPendingAtMs = clock.nowMs();
    for (const job of ended) {
      this.#told.add(job.id);
      if (this.#options.isWanted(job)) this.#pending.push(job.id);
    }
    this.#schedule();
  }

  #schedule(): void {
    this.#cancel();
    if (this.#pending.length === 0) return;
    const { clock, jobs } = this.#options;
    const isMoreToCome = jobs.jobs('running').length > 0;
    const dueMs = Math.max(
      this.#firstPendingAtMs + (isMoreToCome ? TOGETHER_MS : SETTLE_MS),
      this.#quietUntilMs,
    );
    this.#cancel = clock.after(Math.max(0, dueMs - clock.nowMs()), () => void this.#tell());
  }

  async #tell(): Promise<void> {
    const { clock, show } = this.#options;
    const pending = new Set(this.#pending);
    this.#pending = [];
    // As they are now: a job may have been decided about while the notification waited.
    const jobs = this.#ended().filter(({ id, review }) => pending.has(id) && review.by === null);
    if (jobs.length === 0) return;
    const quietUntilMs = clock.nowMs() + TOGETHER_MS;
    this.#quietUntilMs = quietUntilMs;
    await show(jobs);
    if (this.#quietUntilMs === quietUntilMs) this.#quietUntilMs = Number.NEGATIVE_INFINITY;
    this.#schedule();
  }

  #ended(): FeedJob[] {
    const { jobs, openedAtMs } = this.#options;
    return JOB_GROUPS.flatMap((group) => jobs.jobs(group)).filter(
      ({ finishedAt }) => finishedAt !== null && Date.parse(finishedAt) >= openedAtMs,
    );
  }
}
