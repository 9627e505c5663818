import { BridgeError } from '../../base/bridgeError.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { JobGroup } from '../../protocol/jobGroup.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import type { HostLog } from '../bridge/hostLog.ts';
import { JobList, type JobsChange } from './jobList.ts';
import { failedState, type LoadState } from './loadState.ts';

const JOBS_URI = 'delegate://jobs';
const PAGE = 50;
/** What the tool gives at once at most. */
const MAX_PAGE = 200;

/**
 * The jobs as every part of the extension sees them: all that run, wait or want a review, and as many of the finished ones as
 * were asked for. Kept up to date by what changed since the last answer, so a change costs one small call however many jobs
 * there are. One question is under way at a time: answers never overtake each other.
 */
export class JobsModel implements Disposable {
  readonly #link: Pick<BridgeLink, 'call' | 'subscribe'>;
  readonly #changes: Emitter<JobsChange>;
  readonly #list = new JobList();
  #subscription: Disposable | null = null;
  #state: LoadState = { kind: 'loading' };
  #folders: readonly string[] | null = null;
  /** Counts the questions for everything; an answer to an earlier one is not taken. */
  #generation = 0;
  #keepsPages = false;
  #turn: Promise<unknown> = Promise.resolve();
  #nextUpdate: Promise<void> | null = null;
  #nextPage: Promise<void> | null = null;
  #isDisposed = false;

  constructor(link: Pick<BridgeLink, 'call' | 'subscribe'>, log: HostLog) {
    this.#link = link;
    this.#changes = new Emitter((error) => log.error(BridgeError.from(error).message));
  }

  readonly onDidChange = (listener: (change: JobsChange) => void): Disposable => {
    const subscription = this.#changes.event(listener);
    // Nothing is asked for before somebody wants to know.
    if (this.#subscription === null) {
      this.#subscription = this.#link.subscribe(JOBS_URI, () => void this.update());
      void this.update();
    }
    return subscription;
  };

  get state(): LoadState {
    return this.#state;
  }

  /** Of the filter, loaded or not. */
  get finishedTotal(): number {
    return this.#list.finishedTotal;
  }

  get hasMoreFinished(): boolean {
    return this.#list.edge > 0;
  }

  /** Newest first, but those that wait stand in the order in which they will start. */
  jobs(group: JobGroup): readonly FeedJob[] {
    return this.#list.jobs(group);
  }

  job(id: string): FeedJob | null {
    return this.#list.job(id);
  }

  /** Only jobs of the repositories that hold these folders; null: all. */
  async filter(folders: readonly string[] | null): Promise<void> {
    this.#folders = folders;
    this.#keepsPages = false;
    await this.reload();
  }

  /** Asks for everything anew; what is known stays until the answer is there. */
  async reload(): Promise<void> {
    this.#generation += 1;
    this.#list.forgetRevision();
    await this.update();
  }

  /** Asks for what has changed; a failure becomes the state. Calls while one is under way are answered together by one more. */
  async update(): Promise<void> {
    this.#nextUpdate ??= this.#inTurn(async () => {
      this.#nextUpdate = null;
      await this.#ask();
    });
    await this.#nextUpdate;
  }

  /**
   * The next page of finished jobs, if there is one.
   * @throws BridgeError what the call throws
   */
  async loadMore(): Promise<void> {
    this.#nextPage ??= this.#inTurn(async () => {
      this.#nextPage = null;
      await this.#askForPage();
    });
    await this.#nextPage;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscription?.dispose();
    this.#changes.dispose();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(work);
    this.#turn = result.then(undefined, () => undefined); // the caller has the error
    return result;
  }

  async #ask(): Promise<void> {
    while (!this.#isDisposed) {
      const generation = this.#generation;
      const since = this.#list.revision;
      try {
        const feed = await this.#link.call('job_feed', {
          ...this.#filter(),
          ...(since === null ? { limit: this.#pageSize() } : { since }),
        });
        if (generation !== this.#generation) return; // reload() has queued its own question
        if (since === null) {
          this.#list.replace(feed);
          this.#keepsPages = true;
          this.#become({ kind: 'ready' }, { changed: [], groups: new Set(), isWhole: true });
          return;
        }
        const change = this.#list.merge(feed);
        if (change !== null) {
          this.#become({ kind: 'ready' }, change);
          return;
        }
        this.#list.forgetRevision();
      } catch (error) {
        if (generation !== this.#generation) return;
        this.#become(failedState(error), { changed: [], groups: new Set(), isWhole: true });
        return;
      }
    }
  }

  async #askForPage(): Promise<void> {
    if (this.#list.revision === null) await this.#ask();
    const { edge, revision } = this.#list;
    if (edge === 0 || revision === null || this.#isDisposed) return;
    const generation = this.#generation;
    const page = await this.#link.call('job_feed', {
      ...this.#filter(),
      before: edge,
      limit: PAGE,
    });
    if (generation === this.#generation) this.#fire(this.#list.addPage(page));
  }

  /** A reload keeps what was loaded, as far as one answer holds it; another filter starts with a page. */
  #pageSize(): number {
    if (!this.#keepsPages) return PAGE;
    return Math.min(MAX_PAGE, Math.max(PAGE, this.#list.jobs('finished').length));
  }

  #become(state: LoadState, change: JobsChange): void {
    const before = this.#state;
    this.#state = state;
    const isOther = before.kind !== state.kind || JSON.stringify(before) !== JSON.stringify(state);
    if (isOther && !change.isWhole) this.#fire({ ...change, isWhole: true });
    else if (isOther || change.isWhole || change.changed.length > 0 || change.groups.size > 0)
      this.#fire(change);
  }

  #fire(change: JobsChange): void {
    if (!this.#isDisposed) this.#changes.fire(change);
  }

  #filter(): { folders?: string[] } {
    return this.#folders === null ? {} : { folders: [...this.#folders] };
  }
}
