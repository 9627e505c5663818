import { BridgeError } from '../../base/bridgeError.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import { groupOf, type JobGroup } from '../../protocol/jobGroup.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import type { HostLog } from '../bridge/hostLog.ts';

export type LoadState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'error'; readonly message: string; readonly hint: string };

export interface JobsChange {
  /** Jobs whose record is another one now, in a group that they were in before. */
  readonly changed: readonly FeedJob[];
  /** Groups that have gained, lost or reordered jobs. */
  readonly groups: ReadonlySet<JobGroup>;
  /** The state, the filter or the total has changed: whoever shows the whole shows it anew. */
  readonly isWhole: boolean;
}

const JOBS_URI = 'delegate://jobs';
const PAGE = 50;

/**
 * The jobs as every part of the extension sees them: all that run, wait or want a review, and as many of the finished ones as
 * were asked for. Kept up to date by what changed since the last answer, so a change costs one small call however many jobs
 * there are.
 */
export class JobsModel implements Disposable {
  readonly #link: Pick<BridgeLink, 'call' | 'subscribe'>;
  readonly #changes: Emitter<JobsChange>;
  #subscription: Disposable | null = null;
  #jobs = new Map<string, FeedJob>();
  #state: LoadState = { kind: 'loading' };
  #folders: readonly string[] | null = null;
  #revision: number | null = null;
  #finishedTotal = 0;
  #total = 0;
  #isStale = false;
  #update: Promise<void> | null = null;

  constructor(link: Pick<BridgeLink, 'call' | 'subscribe'>, log: HostLog) {
    this.#link = link;
    this.#changes = new Emitter((error) => log.error(BridgeError.from(error).message));
  }

  readonly onDidChange = (listener: (change: JobsChange) => void): Disposable => {
    // Nothing is asked for before somebody wants to know.
    this.#subscription ??= this.#link.subscribe(JOBS_URI, () => void this.update());
    void this.update();
    return this.#changes.event(listener);
  };

  get state(): LoadState {
    return this.#state;
  }

  get finishedTotal(): number {
    return this.#finishedTotal;
  }

  /** Newest first, but those that wait stand in the order in which they will start. */
  jobs(group: JobGroup): readonly FeedJob[] {
    const jobs = [...this.#jobs.values()].filter((job) => groupOf(job) === group);
    return jobs.sort(group === 'waiting' ? (a, b) => a.seq - b.seq : (a, b) => b.seq - a.seq);
  }

  job(id: string): FeedJob | null {
    return this.#jobs.get(id) ?? null;
  }

  get hasMoreFinished(): boolean {
    return this.jobs('finished').length < this.#finishedTotal;
  }

  /** Only jobs of the repositories that hold these folders; null: all. */
  async filter(folders: readonly string[] | null): Promise<void> {
    this.#folders = folders;
    await this.reload();
  }

  /** Forgets what is known and asks anew. */
  async reload(): Promise<void> {
    this.#revision = null;
    await this.update();
  }

  /** Asks for what has changed. Calls while one is under way are answered together by one more. */
  async update(): Promise<void> {
    this.#isStale = true;
    this.#update ??= this.#untilFresh().finally(() => (this.#update = null));
    await this.#update;
  }

  /** The next page of finished jobs. */
  async loadMore(): Promise<void> {
    const oldest = this.jobs('finished').at(-1);
    if (oldest === undefined || !this.hasMoreFinished) return;
    const page = await this.#link.call('job_feed', {
      ...this.#filter(),
      before: oldest.seq,
      limit: PAGE,
    });
    for (const job of page.jobs) if (!this.#jobs.has(job.id)) this.#jobs.set(job.id, job);
    this.#finishedTotal = page.finishedTotal;
    this.#changes.fire({ changed: [], groups: new Set(['finished']), isWhole: false });
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#changes.dispose();
  }

  async #untilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      try {
        const since = this.#revision;
        const folders = this.#folders;
        const feed = await this.#link.call('job_feed', {
          ...this.#filter(),
          ...(since === null ? { limit: PAGE } : { since }),
        });
        if (folders !== this.#folders || (since !== null && this.#revision === null)) {
          this.#isStale = true; // the question has changed meanwhile
          continue;
        }
        // Fewer jobs than there must be: some were removed from the store, and no change tells which.
        const isShort = since !== null && feed.total < this.#total + this.#unknownIn(feed.jobs);
        if (isShort) {
          this.#revision = null;
          this.#isStale = true;
          continue;
        }
        this.#take(feed.jobs, since === null);
        this.#revision = feed.revision;
        this.#total = feed.total;
        this.#finishedTotal = feed.finishedTotal;
      } catch (error) {
        const { message, hint } = BridgeError.from(error);
        this.#state = { kind: 'error', message, hint };
        this.#revision = null;
        this.#changes.fire({ changed: [], groups: new Set(), isWhole: true });
      }
    }
  }

  #take(jobs: readonly FeedJob[], isWhole: boolean): void {
    const before = isWhole ? new Map<string, FeedJob>() : this.#jobs;
    const next = new Map(before);
    const changed: FeedJob[] = [];
    const groups = new Set<JobGroup>();
    const oldest = this.jobs('finished').at(-1);
    for (const job of jobs) {
      const known = before.get(job.id);
      const group = groupOf(job);
      // A finished job older than the pages that are loaded comes with its page.
      const isBeyond = group === 'finished' && known === undefined && !isWhole;
      if (isBeyond && this.hasMoreFinished && oldest !== undefined && job.seq < oldest.seq)
        continue;
      next.set(job.id, job);
      if (known === undefined) groups.add(group);
      else if (groupOf(known) === group) changed.push(job);
      else groups.add(group).add(groupOf(known));
    }
    this.#jobs = next;
    const wasReady = this.#state.kind === 'ready';
    this.#state = { kind: 'ready' };
    this.#changes.fire({ changed, groups, isWhole: isWhole || !wasReady });
  }

  #unknownIn(jobs: readonly FeedJob[]): number {
    // Only a job that has not been over before can be new; one of an unloaded page counts in the total already.
    return jobs.filter((job) => !this.#jobs.has(job.id) && groupOf(job) !== 'finished').length;
  }

  #filter(): { folders?: string[] } {
    return this.#folders === null ? {} : { folders: [...this.#folders] };
  }
}
