import { BridgeError } from '../../base/bridgeError.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import { groupOf, JOB_GROUPS, type JobGroup } from '../../protocol/jobGroup.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import type { HostLog } from '../bridge/hostLog.ts';
import type { SupervisorClock } from '../bridge/serverSupervisor.ts';
import type { JobsChange } from '../jobs/jobList.ts';
import type { JobsModel } from '../jobs/jobsModel.ts';
import { ChangeThrottle } from './changeThrottle.ts';
import { fileNodes } from './fileNodes.ts';
import type { JobFiles } from './jobFiles.ts';
import type { JobsNode } from './jobsNode.ts';
import { jobsNodeRow } from './jobsNodeRow.ts';
import type { Row } from './rows/row.ts';

export interface JobsTreeOptions {
  readonly jobs: Pick<
    JobsModel,
    'job' | 'jobs' | 'state' | 'finishedTotal' | 'hasMoreFinished' | 'onDidChange'
  >;
  readonly files: Pick<JobFiles, 'of'>;
  readonly clock: SupervisorClock;
  readonly now: () => Date;
  readonly log: HostLog;
  /** Jobs of more than one repository are shown. */
  readonly isAllShown: () => boolean;
}

/** Waiting rows say how long they wait; nobody needs that to the second. */
const WAITING_TICKS = 10;

/** The rows of the jobs view and which of them have changed, without VS Code. Its nodes are the same objects for as long as a job is known. */
export class JobsTree implements Disposable {
  readonly #options: JobsTreeOptions;
  readonly #changes: Emitter<readonly JobsNode[] | null>;
  readonly #throttle: ChangeThrottle<JobsNode>;
  readonly #subscription: Disposable;
  readonly #groups = new Map<JobGroup, JobsNode>(
    JOB_GROUPS.map((group) => [group, { kind: 'group', group }]),
  );
  readonly #nodes = new Map<string, JobsNode>();
  readonly #more: JobsNode = { kind: 'more' };
  #shownGroups: readonly JobGroup[] = [];
  #whenKnown: (() => void)[] = [];
  #isLoadingMore = false;
  #ticks = 0;

  constructor(options: JobsTreeOptions) {
    this.#options = options;
    const { jobs, clock, log } = options;
    this.#changes = new Emitter((error) => log.error(BridgeError.from(error).message));
    this.#throttle = new ChangeThrottle(clock, (nodes) => this.#changes.fire(nodes));
    this.#subscription = jobs.onDidChange((change) => this.#jobsChanged(change));
  }

  /** Rows that have changed, with what is below them; null: all. */
  readonly onDidChange = (listener: (nodes: readonly JobsNode[] | null) => void): Disposable =>
    this.#changes.event(listener);

  async children(node?: JobsNode): Promise<readonly JobsNode[]> {
    switch (node?.kind) {
      case undefined:
        return this.#rootChildren();
      case 'group':
        return this.#groupChildren(node.group);
      case 'job':
        return this.#jobChildren(node);
      case 'folder':
        return fileNodes(node.inside, node, node.files, node.isOpen, true);
      case 'file':
      case 'more':
      case 'error':
      case 'note':
        return [];
    }
  }

  row(node: JobsNode): Row {
    const { jobs, now, isAllShown } = this.#options;
    return jobsNodeRow(node, {
      jobs,
      now: now(),
      isAllShown: isAllShown(),
      isLoadingMore: this.#isLoadingMore,
    });
  }

  /** Undefined at the top, and for a job that is not known any more. */
  parent(node: JobsNode): JobsNode | undefined {
    switch (node.kind) {
      case 'group':
        return undefined;
      case 'more':
        return this.#groups.get('finished');
      case 'job': {
        const job = this.#options.jobs.job(node.jobId);
        return job === null ? undefined : this.#groups.get(groupOf(job));
      }
      case 'file':
      case 'folder':
      case 'error':
      case 'note':
        return node.parent ?? undefined;
    }
  }

  /** The row of a job that is known; undefined for another. */
  nodeOf(jobId: string): JobsNode | undefined {
    return this.#options.jobs.job(jobId) === null ? undefined : this.#jobNode(jobId);
  }

  /** A second has passed: only rows that show a time are touched. */
  tick(): void {
    const { jobs } = this.#options;
    this.#ticks += 1;
    const ticking = [...jobs.jobs('running')];
    if (this.#ticks % WAITING_TICKS === 0) ticking.push(...jobs.jobs('waiting'));
    if (ticking.length > 0) this.#throttle.add(ticking.map(({ id }) => this.#jobNode(id)));
  }

  setLoadingMore(isLoading: boolean): void {
    this.#isLoadingMore = isLoading;
    this.#throttle.add([this.#more]);
  }

  /** Everything is shown anew. */
  refresh(): void {
    this.#throttle.add(null);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#throttle.dispose();
    this.#changes.dispose();
    this.#known();
  }

  #jobsChanged({ changed, groups, isWhole }: JobsChange): void {
    if (this.#options.jobs.state.kind !== 'loading') this.#known();
    const present = this.#presentGroups();
    const isOther = present.join() !== this.#shownGroups.join();
    if (isWhole) this.#forgetGone();
    if (isWhole || isOther) {
      this.#throttle.add(null);
      return;
    }
    const nodes = [...groups].flatMap((group) => this.#groups.get(group) ?? []);
    for (const job of changed) if (!groups.has(groupOf(job))) nodes.push(this.#jobNode(job.id));
    if (nodes.length > 0) this.#throttle.add(nodes);
  }

  async #rootChildren(): Promise<readonly JobsNode[]> {
    const { jobs } = this.#options;
    // VS Code shows progress in the view until this is resolved.
    if (jobs.state.kind === 'loading')
      await new Promise<void>((resolve) => this.#whenKnown.push(resolve));
    const { state } = jobs;
    this.#shownGroups = this.#presentGroups();
    const groups = this.#shownGroups.flatMap((group) => this.#groups.get(group) ?? []);
    // Without a server the view says so above its rows, or in place of them.
    if (state.kind !== 'error' || state.errorKind === 'server_unavailable') return groups;
    const { message, hint } = state;
    return [{ kind: 'error', id: 'error:jobs', message, hint, parent: null }, ...groups];
  }

  #groupChildren(group: JobGroup): readonly JobsNode[] {
    const { jobs } = this.#options;
    const nodes = jobs.jobs(group).map(({ id }) => this.#jobNode(id));
    return group === 'finished' && jobs.hasMoreFinished ? [...nodes, this.#more] : nodes;
  }

  async #jobChildren(node: JobsNode & { kind: 'job' }): Promise<readonly JobsNode[]> {
    const job: FeedJob | null = this.#options.jobs.job(node.jobId);
    if (job === null) return [];
    try {
      const { files, isOpen, note } = await this.#options.files.of(job);
      const notes: JobsNode[] =
        note === null ? [] : [{ kind: 'note', id: `note:${job.id}`, text: note, parent: node }];
      if (files.length === 0 && notes.length === 0)
        notes.push({
          kind: 'note',
          id: `note:${job.id}`,
          text: 'The job changed no file.',
          parent: node,
        });
      const byPath = new Map(files.map((file) => [file.path, file]));
      return [...notes, ...fileNodes(null, node, byPath, isOpen, false)];
    } catch (error) {
      const { message, hint } = BridgeError.from(error);
      return [{ kind: 'error', id: `error:${job.id}`, message, hint, parent: node }];
    }
  }

  #presentGroups(): readonly JobGroup[] {
    const { jobs } = this.#options;
    return JOB_GROUPS.filter(
      (group) => jobs.jobs(group).length > 0 || (group === 'finished' && jobs.finishedTotal > 0),
    );
  }

  #jobNode(jobId: string): JobsNode {
    const known = this.#nodes.get(jobId);
    if (known !== undefined) return known;
    const node: JobsNode = { kind: 'job', jobId };
    this.#nodes.set(jobId, node);
    return node;
  }

  #forgetGone(): void {
    for (const jobId of this.#nodes.keys())
      if (this.#options.jobs.job(jobId) === null) this.#nodes.delete(jobId);
  }

  #known(): void {
    const waiting = this.#whenKnown;
    this.#whenKnown = [];
    for (const resolve of waiting) resolve();
  }
}
