import * as vscode from 'vscode';
import { sanitiseLine } from '../../base/sanitise.ts';
import { JOB_GROUPS, type JobGroup } from '../../protocol/jobGroup.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import type { JobsModel } from '../jobs/jobsModel.ts';

export type JobsNode =
  | { readonly kind: 'group'; readonly group: JobGroup }
  | { readonly kind: 'job'; readonly jobId: string };

/** The jobs as a tree: groups, and a row for each job. */
export class JobsTree implements vscode.TreeDataProvider<JobsNode> {
  readonly #jobs: JobsModel;
  readonly #changes = new vscode.EventEmitter<JobsNode | undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #subscription: { dispose(): void };

  constructor(jobs: JobsModel) {
    this.#jobs = jobs;
    this.#subscription = jobs.onDidChange(() => this.#changes.fire(undefined));
  }

  getChildren(node?: JobsNode): JobsNode[] {
    if (node === undefined) {
      return JOB_GROUPS.filter((group) => this.#jobs.jobs(group).length > 0).map((group) => ({
        kind: 'group',
        group,
      }));
    }
    if (node.kind === 'job') return [];
    return this.#jobs.jobs(node.group).map((job) => ({ kind: 'job', jobId: job.id }));
  }

  getTreeItem(node: JobsNode): vscode.TreeItem {
    if (node.kind === 'group') {
      return new vscode.TreeItem(node.group, vscode.TreeItemCollapsibleState.Expanded);
    }
    const job: FeedJob | null = this.#jobs.job(node.jobId);
    const item = new vscode.TreeItem(sanitiseLine(job?.task ?? node.jobId, 120));
    item.id = node.jobId;
    return item;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
  }
}
