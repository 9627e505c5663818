import * as vscode from 'vscode';
import { SCHEMES } from '../../contributions.ts';
import type { JobsModel } from '../jobs/jobsModel.ts';
import { COMMAND_IDS } from '../receipt/linkedCommands.ts';
import { receiptTooltip } from '../receipt/receiptTooltip.ts';
import type { JobsNode } from './jobsNode.ts';
import type { JobsTree } from './jobsTree.ts';
import { rowItem } from './rowItem.ts';

/** The jobs view as VS Code asks for it. */
export class JobsTreeProvider implements vscode.TreeDataProvider<JobsNode> {
  readonly #tree: JobsTree;
  readonly #jobs: Pick<JobsModel, 'job'>;
  readonly #changes = new vscode.EventEmitter<JobsNode[] | undefined>();
  readonly #subscription: { dispose(): void };
  readonly onDidChangeTreeData = this.#changes.event;

  constructor(tree: JobsTree, jobs: Pick<JobsModel, 'job'>) {
    this.#tree = tree;
    this.#jobs = jobs;
    this.#subscription = tree.onDidChange((nodes) =>
      this.#changes.fire(nodes === null ? undefined : [...nodes]),
    );
  }

  async getChildren(node?: JobsNode): Promise<JobsNode[]> {
    return [...(await this.#tree.children(node))];
  }

  getParent(node: JobsNode): JobsNode | undefined {
    return this.#tree.parent(node);
  }

  getTreeItem(node: JobsNode): vscode.TreeItem {
    const item = rowItem(this.#tree.row(node), node);
    if (node.kind === 'file') item.resourceUri = resourceOf(node.jobId, node.path);
    if (node.kind === 'folder') {
      item.resourceUri = resourceOf(node.jobId, node.path);
      item.iconPath = vscode.ThemeIcon.Folder;
    }
    // Made when somebody points at the row: an item without one is asked for it then.
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, node: JobsNode): vscode.TreeItem {
    const job = node.kind === 'job' ? this.#jobs.job(node.jobId) : null;
    if (job === null) return item;
    const tooltip = new vscode.MarkdownString(receiptTooltip(job, new Date()));
    tooltip.isTrusted = { enabledCommands: Object.values(COMMAND_IDS) };
    item.tooltip = tooltip;
    return item;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
  }
}

function resourceOf(jobId: string, path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEMES.job, path: `/${path}`, query: `job=${jobId}` });
}
