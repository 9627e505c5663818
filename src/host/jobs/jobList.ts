import { groupOf, type JobGroup } from '../../protocol/jobGroup.ts';
import type { FeedJob, UiAnswer } from '../../protocol/ui/uiTools.ts';

export interface JobsChange {
  /** Jobs whose record is another one now, in a group that they were in before. */
  readonly changed: readonly FeedJob[];
  /** Groups that have gained or lost jobs. */
  readonly groups: ReadonlySet<JobGroup>;
  /** The state, the filter or everything has changed: whoever shows the whole shows it anew. */
  readonly isWhole: boolean;
}

type Feed = UiAnswer<'job_feed'>;

/**
 * The jobs that are known: all that run, wait or want a review, and the finished ones of the pages that were asked for. Pages are
 * counted from `edge` on: an old job that is finished only now stands below it, and does not hide those between.
 */
export class JobList {
  #jobs = new Map<string, FeedJob>();
  #groups: ReadonlyMap<JobGroup, readonly FeedJob[]> | null = null;
  #revision: number | null = null;
  #newestSeq = 0;
  #edge = 0;
  #finishedTotal = 0;
  #total = 0;

  /** Of the last answer; null when there was none that counts. */
  get revision(): number | null {
    return this.#revision;
  }

  get finishedTotal(): number {
    return this.#finishedTotal;
  }

  /** `seq` below which finished jobs have not been asked for; 0 when there are none. */
  get edge(): number {
    return this.jobs('finished').length < this.#finishedTotal ? this.#edge : 0;
  }

  job(id: string): FeedJob | null {
    return this.#jobs.get(id) ?? null;
  }

  /** Newest first, but those that wait stand in the order in which they will start. */
  jobs(group: JobGroup): readonly FeedJob[] {
    this.#groups ??= grouped(this.#jobs.values());
    return this.#groups.get(group) ?? [];
  }

  /** What was asked last does not count any more, but is shown until the next whole answer. */
  forgetRevision(): void {
    this.#revision = null;
  }

  /** Takes the answer to a question for everything. */
  replace(feed: Feed): void {
    this.#jobs = new Map(feed.jobs.map((job) => [job.id, job]));
    this.#groups = null;
    this.#revision = feed.revision;
    this.#newestSeq = Math.max(0, ...feed.jobs.map(({ seq }) => seq));
    this.#setCounts(feed);
    this.#edge = this.jobs('finished').at(-1)?.seq ?? 0;
  }

  /**
   * Takes the answer to a question for what has changed. Null when it does not fit to what is known: jobs were removed, which no
   * answer names, or the store is another one. Then everything has to be asked for.
   */
  merge(feed: Feed): JobsChange | null {
    const isNew = ({ seq }: FeedJob): boolean => seq > this.#newestSeq;
    const expected = this.#total + feed.jobs.filter(isNew).length;
    if (this.#revision === null || feed.revision < this.#revision || feed.total < expected)
      return null;
    const changed: FeedJob[] = [];
    const groups = new Set<JobGroup>();
    const { edge } = this;
    const next = new Map(this.#jobs);
    for (const job of feed.jobs) {
      const known = this.#jobs.get(job.id);
      const group = groupOf(job);
      // It comes with its page.
      if (known === undefined && group === 'finished' && job.seq < edge) continue;
      next.set(job.id, job);
      if (known === undefined) groups.add(group);
      else if (groupOf(known) !== group) groups.add(group).add(groupOf(known));
      else if (!isSame(known, job)) changed.push(job);
    }
    if (feed.finishedTotal !== this.#finishedTotal) groups.add('finished');
    this.#jobs = next;
    this.#groups = null;
    this.#revision = feed.revision;
    this.#newestSeq = Math.max(this.#newestSeq, ...feed.jobs.map(({ seq }) => seq));
    this.#setCounts(feed);
    return { changed, groups, isWhole: false };
  }

  /** Takes the page below `edge`. What is known already is at least as new. */
  addPage(feed: Feed): JobsChange {
    for (const job of feed.jobs) if (!this.#jobs.has(job.id)) this.#jobs.set(job.id, job);
    this.#groups = null;
    this.#finishedTotal = feed.finishedTotal;
    this.#edge = feed.jobs.at(-1)?.seq ?? 0;
    return { changed: [], groups: new Set(['finished']), isWhole: false };
  }

  #setCounts({ total, finishedTotal }: Feed): void {
    this.#total = total;
    this.#finishedTotal = finishedTotal;
  }
}

function grouped(jobs: Iterable<FeedJob>): ReadonlyMap<JobGroup, readonly FeedJob[]> {
  const groups = new Map<JobGroup, FeedJob[]>();
  for (const job of jobs) {
    const group = groupOf(job);
    const list = groups.get(group);
    if (list === undefined) groups.set(group, [job]);
    else list.push(job);
  }
  for (const [group, list] of groups)
    list.sort(group === 'waiting' ? (a, b) => a.seq - b.seq : (a, b) => b.seq - a.seq);
  return groups;
}

function isSame(one: FeedJob, other: FeedJob): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
