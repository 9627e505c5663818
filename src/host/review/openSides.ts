import * as vscode from 'vscode';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import type { JobsModel } from '../jobs/jobsModel.ts';
import type { ReviewFileSystem } from './reviewFileSystem.ts';
import { readReviewUri } from './reviewUri.ts';

/**
 * Keeps the jobs' sides that are open in editors as they are on disk. A worktree has no watcher: its files are looked at again when the
 * record of the job has changed (a gate ran, a decision was made), and when the person comes back to the window.
 */
export class OpenSides implements vscode.Disposable {
  readonly #jobs: JobsModel;
  readonly #files: ReviewFileSystem;
  readonly #seen = new Map<string, FeedJob | null>();
  readonly #subscriptions: readonly { dispose(): void }[];

  constructor(jobs: JobsModel, files: ReviewFileSystem) {
    this.#jobs = jobs;
    this.#files = files;
    this.#subscriptions = [
      jobs.onDidChange(() => this.#look(false)),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#look(true);
      }),
    ];
  }

  #look(isAll: boolean): void {
    const open = vscode.workspace.textDocuments.flatMap(({ uri }) => {
      const shown = readReviewUri(uri);
      return shown?.side === 'job' && !shown.isNothing ? [{ uri, jobId: shown.jobId }] : [];
    });
    const ids = new Set(open.map(({ jobId }) => jobId));
    const changed = new Set<string>();
    for (const jobId of ids) {
      const job = this.#jobs.job(jobId);
      if (this.#seen.has(jobId) && this.#seen.get(jobId) !== job) changed.add(jobId);
      this.#seen.set(jobId, job);
    }
    for (const jobId of this.#seen.keys()) if (!ids.has(jobId)) this.#seen.delete(jobId);
    const stale = isAll ? open : open.filter(({ jobId }) => changed.has(jobId));
    this.#files.lookAgain(stale.map(({ uri }) => uri));
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }
}
