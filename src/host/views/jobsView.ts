import * as vscode from 'vscode';
import { setContext, VIEWS } from '../../contributions.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { systemClock } from '../bridge/systemClock.ts';
import type { HostParts } from '../hostParts.ts';
import { FileDecorations } from './fileDecorations.ts';
import { JobFiles } from './jobFiles.ts';
import { type JobsFilter, workspaceFolders } from './jobsFilter.ts';
import type { JobsNode } from './jobsNode.ts';
import { JobsTree } from './jobsTree.ts';
import { JobsTreeProvider } from './jobsTreeProvider.ts';
import { hasGit, repositoryOf } from './repositoryOf.ts';
import { viewMessage } from './viewMessage.ts';
import { jobsViewState, type ViewState } from './viewState.ts';

const TICK_MS = 1000;

/** The jobs view: its rows, badge, line above the rows, welcome text, and the clock of its running rows. */
export class JobsView {
  readonly #parts: HostParts;
  readonly #filter: JobsFilter;
  readonly #files: JobFiles;
  readonly #tree: JobsTree;
  readonly #view: vscode.TreeView<JobsNode>;
  readonly #owned: vscode.Disposable[];
  #timer: NodeJS.Timeout | null = null;
  #leftAt: Date | null = null;
  #hasAskedEndpoints = false;
  #shown = '';

  constructor(parts: HostParts, filter: JobsFilter) {
    this.#parts = parts;
    this.#filter = filter;
    const { jobs, link, overview, log, selectedRows } = parts;
    this.#files = new JobFiles(link, () => decorations.loaded());
    const decorations = new FileDecorations(this.#files);
    this.#tree = new JobsTree({
      ...{ jobs, files: this.#files, log, clock: systemClock },
      now: () => new Date(),
      isAllShown: () => filter.scope === 'all',
    });
    const provider = new JobsTreeProvider(this.#tree, jobs);
    this.#view = vscode.window.createTreeView(VIEWS.jobs, {
      treeDataProvider: provider,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.#owned = [
      this.#tree,
      provider,
      this.#view,
      decorations,
      vscode.window.registerFileDecorationProvider(decorations),
      this.#view.onDidChangeSelection(({ selection }) => selectedRows.set(selection)),
      this.#view.onDidChangeVisibility(() => this.#show()),
      jobs.onDidChange(() => this.#show()),
      overview.onDidChange(() => this.#show()),
      link.onDidChangeState(({ kind }) => {
        if (kind === 'running') this.#leftAt = null;
        else this.#leftAt ??= new Date();
        this.#show();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#show()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void filter.apply()),
    ];
    selectedRows.onShow((jobId) => void this.#reveal(jobId));
    this.#show();
  }

  /** Asks for everything anew, the files of open rows too. */
  async refresh(): Promise<void> {
    this.#files.clear();
    await this.#parts.jobs.reload();
    this.#tree.refresh();
    this.#show();
  }

  /** The next page of finished jobs; throws what the call throws. */
  readonly loadMore = async (): Promise<void> => {
    this.#tree.setLoadingMore(true);
    try {
      await this.#parts.jobs.loadMore();
    } finally {
      this.#tree.setLoadingMore(false);
    }
  };

  dispose(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    for (const each of this.#owned) each.dispose();
  }

  /** Selects the row of a job where somebody sees it, and leaves the focus where it is. */
  async #reveal(jobId: string): Promise<void> {
    const { jobs, log } = this.#parts;
    if (!this.#view.visible) return;
    await jobs.update();
    const node = this.#tree.nodeOf(jobId);
    if (node === undefined) return;
    try {
      await this.#view.reveal(node, { select: true, focus: false });
    } catch (error) {
      // The row has moved to another group meanwhile.
      log.debug(`No row to show for ${jobId}: ${String(error)}`);
    }
  }

  #show(): void {
    const { jobs, link } = this.#parts;
    const review = jobs.jobs('review').length;
    const hasRows = review > 0 || this.#hasLiveRows() || jobs.finishedTotal > 0;
    this.#setTicking(this.#view.visible && link.state.kind === 'running' && this.#hasLiveRows());
    const message = viewMessage({
      server: link.state,
      hasRows,
      isTrusted: vscode.workspace.isTrusted,
      rowsAsOf:
        this.#leftAt?.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) ?? null,
    });
    const state = this.#state(hasRows);
    const { scope } = this.#filter;
    // Each of these is a message to the window; most changes of jobs change none of them.
    const shown = JSON.stringify([review, message, state, scope]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#view.badge = badgeOf(review);
    this.#view.description = scope === 'all' ? 'all repositories' : 'this repository';
    this.#view.message = message;
    void setContext('jobsState', state);
  }

  #state(hasRows: boolean): ViewState {
    if (hasRows) return 'ready'; // the usual case looks at no disk
    const { jobs, link, overview } = this.#parts;
    const [folder] = workspaceFolders();
    const state = jobsViewState({
      ...{ hasRows, load: jobs.state.kind, server: link.state.kind },
      isTrusted: vscode.workspace.isTrusted,
      folder:
        folder === undefined ? 'none' : repositoryOf(folder) === null ? 'plain' : 'repository',
      hasGit: hasGit(process.env, process.platform),
      hasEndpoint: overview.overview === null ? null : hasEndpoint(overview.overview),
    });
    // Whether a model server is known decides what an empty list says.
    if (state === 'noJobs' && this.#view.visible && !this.#hasAskedEndpoints) {
      this.#hasAskedEndpoints = true;
      if (overview.overview === null) void overview.refresh();
    }
    return state;
  }

  #hasLiveRows(): boolean {
    const { jobs } = this.#parts;
    return jobs.jobs('running').length > 0 || jobs.jobs('waiting').length > 0;
  }

  #setTicking(isTicking: boolean): void {
    if (isTicking === (this.#timer !== null)) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = isTicking ? setInterval(() => this.#tree.tick(), TICK_MS) : null;
  }
}

function badgeOf(count: number): vscode.ViewBadge | undefined {
  if (count === 0) return undefined;
  const jobs = `${formatPlural(count, 'job')} ${count === 1 ? 'waits' : 'wait'}`;
  return { value: count, tooltip: `${jobs} for review` };
}

/** One that is named, or one that answers at its usual address. */
function hasEndpoint(overview: NonNullable<HostParts['overview']['overview']>): boolean {
  return overview.isConfigured || overview.endpoints.some(({ probe }) => probe.state === 'up');
}
