import * as vscode from 'vscode';
import { setContext, VIEWS } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import type { EndpointsNode } from './endpointsNode.ts';
import { EndpointsTree } from './endpointsTree.ts';
import { OverviewProvider } from './overviewProvider.ts';
import { OverviewWatch } from './overviewWatch.ts';
import { PoolsTree, type PoolsNode } from './poolsTree.ts';
import { formatAge } from './rows/endpointRow.ts';
import { viewMessage } from './viewMessage.ts';
import { endpointsViewState } from './viewState.ts';

/** The views of endpoints and pools; both show the same answer. */
export class OverviewViews {
  readonly #parts: HostParts;
  readonly #endpoints: OverviewProvider<EndpointsNode>;
  readonly #pools: OverviewProvider<PoolsNode>;
  readonly #tree: EndpointsTree;
  readonly #endpointsView: vscode.TreeView<EndpointsNode>;
  readonly #watch: OverviewWatch;
  readonly #owned: vscode.Disposable[];

  constructor(parts: HostParts) {
    this.#parts = parts;
    const { overview, jobs, link } = parts;
    const isLive = (): boolean => link.state.kind === 'running';
    this.#tree = new EndpointsTree({ overview, jobs, nowMs: Date.now, isLive });
    this.#endpoints = new OverviewProvider(this.#tree, overview, finishEndpoint);
    this.#pools = new OverviewProvider(new PoolsTree({ overview, jobs }), overview, finishPool);
    this.#endpointsView = vscode.window.createTreeView(VIEWS.endpoints, {
      treeDataProvider: this.#endpoints,
    });
    const poolsView = vscode.window.createTreeView(VIEWS.pools, { treeDataProvider: this.#pools });
    this.#watch = new OverviewWatch(parts, [this.#endpointsView, poolsView]);
    this.#owned = [
      this.#watch,
      this.#endpoints,
      this.#pools,
      this.#endpointsView,
      poolsView,
      overview.onDidChange(() => this.#show()),
      link.onDidChangeState(() => this.#show()),
      jobs.onDidChange(({ groups, isWhole }) => {
        if (isWhole || groups.has('running')) this.#endpoints.refresh();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#show()),
    ];
    this.#show();
  }

  /** Asks the endpoints when a view of them is open. */
  ask(): void {
    this.#watch.askIfSeen();
  }

  dispose(): void {
    for (const each of this.#owned) each.dispose();
  }

  #show(): void {
    this.#endpoints.refresh();
    this.#pools.refresh();
    const { overview, link } = this.#parts;
    const hasRows = this.#tree.children().length > 0;
    const { isTrusted } = vscode.workspace;
    void setContext(
      'endpointsState',
      endpointsViewState({
        load: overview.state.kind,
        hasRows,
        server: link.state.kind,
        isTrusted,
      }),
    );
    const ageMs = overview.askedAtMs === null ? null : Date.now() - overview.askedAtMs;
    this.#endpointsView.message = viewMessage({
      server: link.state,
      hasRows,
      isTrusted: true, // the rows themselves say what was not asked
      rowsAsOf: ageMs === null ? null : `${formatAge(ageMs / 1000)} ago`,
    });
  }
}

function finishEndpoint(item: vscode.TreeItem, node: EndpointsNode): void {
  if (node.kind === 'problem') item.command = openPlace(node.problem);
  else if (node.kind === 'jobLine') withJob(item, node.jobId);
}

function finishPool(item: vscode.TreeItem, node: PoolsNode): void {
  if (node.kind === 'jobLine') withJob(item, node.jobId);
}

function withJob(item: vscode.TreeItem, jobId: string): void {
  if (item.command !== undefined) item.command = { ...item.command, arguments: [jobId] };
}

function openPlace({
  file,
  line,
  column,
}: {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}): vscode.Command {
  const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  return {
    command: 'vscode.open',
    title: 'Open',
    arguments: [vscode.Uri.file(file), { selection: new vscode.Range(at, at) }],
  };
}
