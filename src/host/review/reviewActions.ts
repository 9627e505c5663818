import { join } from 'node:path';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { runCommand, VIEWS } from '../../contributions.ts';
import type { AcceptResult } from '../../protocol/ui/uiTools.ts';
import type { FileOfJob } from '../commands/fileArguments.ts';
import type { HostParts } from '../hostParts.ts';
import { AcceptFlow, acceptedWords } from './acceptFlow.ts';
import { Conflicts } from './conflicts.ts';
import type { DirtyPaths } from './dirtyPaths.ts';
import type { EditedFiles } from './editedFiles.ts';
import type { MergeDocuments } from './mergeDocuments.ts';
import { openConflicts } from './openConflicts.ts';
import { filesToShow, openChange, openReview, type ReviewEditorParts } from './openReview.ts';
import { rejectJob } from './rejectFlow.ts';
import { reviewUri } from './reviewUri.ts';
import { choose } from './choose.ts';
import { counted, named } from './reviewWords.ts';

export interface ReviewActionsParts extends ReviewEditorParts {
  readonly host: HostParts;
  readonly edited: EditedFiles;
  readonly dirtyPaths: DirtyPaths;
  readonly merges: MergeDocuments;
}

const MESSAGE_MS = 8_000;

/** What the commands of a review do, with what follows in the window: editors close, the next file or the tree comes up. */
export class ReviewActions {
  readonly #parts: ReviewActionsParts;
  readonly #flow: AcceptFlow;
  readonly conflicts: Conflicts;
  /** The job that Undo Accept means when none is named. */
  #lastAccepted: string | null = null;

  constructor(parts: ReviewActionsParts) {
    this.#parts = parts;
    const { states, contents, merges, edited, dirtyPaths, host } = parts;
    this.conflicts = new Conflicts({
      ...{ link: host.link, states, contents, merges },
      saveTarget: (jobId, path) => this.#saveTarget(jobId, path),
    });
    this.#flow = new AcceptFlow({
      ...{ link: host.link, states, edited, dirtyPaths, conflicts: this.conflicts },
      accepted: (jobId, result) => this.#accepted(jobId, result),
      runGate: (jobId) => runCommand('runGate', jobId),
    });
  }

  get lastAccepted(): string | null {
    return this.#lastAccepted;
  }

  async review(jobId: string): Promise<boolean> {
    return openReview(this.#parts, jobId);
  }

  async openFile({ jobId, path }: FileOfJob): Promise<boolean> {
    return openChange(this.#parts, jobId, path);
  }

  /** Shows what is in the way of an accept that is under way; false when none is. */
  async showConflicts(jobId: string): Promise<boolean> {
    const session = this.conflicts.session(jobId);
    if (session === null) return false;
    await this.conflicts.settle(session, this.#flow);
    return true;
  }

  async accept(jobId: string, paths: readonly string[] | 'all'): Promise<boolean> {
    return this.#flow.accept(jobId, paths);
  }

  async reject(jobId: string): Promise<boolean> {
    const { host } = this.#parts;
    const job = await rejectJob({ ...this.#parts, link: host.link }, jobId);
    if (job === undefined) return false;
    await this.#decided(jobId, []);
    say(
      job.isolation === 'none'
        ? 'Taken back out of your files.'
        : 'Rejected. Restore brings it back.',
    );
    return true;
  }

  async drop(jobId: string, paths: readonly string[], takeBack: boolean): Promise<void> {
    const { host, states } = this.#parts;
    await host.link.call('drop_files', {
      jobId,
      files: [...paths],
      ...(takeBack ? { takeBack } : {}),
    });
    states.forget(jobId);
    await this.#decided(jobId, takeBack ? [] : paths);
    say(takeBack ? `${named(paths)} can be decided again.` : `Rejected ${named(paths)}.`);
  }

  async undo(jobId: string): Promise<boolean> {
    const { host, states } = this.#parts;
    await this.#parts.dirtyPaths.flush();
    const outcome = await host.link.tryCall('undo_accept', { jobId });
    states.forget(jobId);
    if (!outcome.isOk) {
      const { failure, answer } = outcome;
      const reasons = (answer.result?.conflicts ?? []).map(({ message }) => message);
      throw new BridgeError(
        reasons.length > 0 ? 'conflict' : 'wrong_state',
        reasons.length > 0
          ? `Nothing was undone. ${reasons.slice(0, 3).join(' ')}`
          : failure.message,
        { hint: reasons.length > 0 ? '' : failure.hint },
      );
    }
    if (this.#lastAccepted === jobId) this.#lastAccepted = null;
    await host.jobs.update();
    say(`Undone: ${counted(outcome.answer.result.applied.length, 'file')} as before the accept.`);
    return true;
  }

  async restore(jobId: string): Promise<void> {
    const { host, states } = this.#parts;
    await host.link.call('restore_job', { jobId });
    states.forget(jobId);
    await host.jobs.update();
    say('Restored. It waits for your review again.');
  }

  async openInCheckout({ jobId, path }: FileOfJob): Promise<void> {
    const { repoRoot, files } = await this.#parts.states.get(jobId);
    const file = files.find((each) => each.path === path);
    for (const name of [file?.path, file?.oldPath]) {
      if (repoRoot === null || name === undefined || name === null) continue;
      const uri = vscode.Uri.file(join(repoRoot, name));
      if (!(await isFile(uri))) continue;
      await vscode.commands.executeCommand('vscode.open', uri);
      return;
    }
    throw new BridgeError('wrong_state', `Your checkout has no ${path}.`, {
      hint: 'It is there once the change is accepted.',
    });
  }

  /** The file before or after this one among those that are left, round about. */
  async step({ jobId, path }: FileOfJob, by: 1 | -1): Promise<boolean> {
    const files = filesToShow(await this.#parts.states.get(jobId)).map((file) => file.path);
    const at = files.indexOf(path);
    const next = files.at(at < 0 ? 0 : (at + by) % files.length);
    return next === undefined ? false : this.openFile({ jobId, path: next });
  }

  /** Takes the finished text of a merge, unless something in it is undecided. */
  async finishMerge(jobId: string, path: string): Promise<boolean> {
    const { merges } = this.#parts;
    const uri = vscode.Uri.from(reviewUri({ jobId, path, side: 'result' }));
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.isDirty && !(await document.save()))
      throw new BridgeError('dirty_editor', `The merge of ${path} could not be saved.`);
    const { saved, marked } = await merges.result(jobId, path);
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
    const open = openConflicts(text(marked), text(saved));
    if (open > 0) {
      const answer = await choose(
        `${counted(open, 'place')} of ${path} ${open === 1 ? 'is' : 'are'} not merged yet`,
        'There the text is as it was before both changes.',
        [
          { label: 'Go on merging', value: 'back' },
          {
            label: 'Take it like this',
            detail: 'Neither your change nor the job’s is kept there.',
            value: 'take',
          },
        ],
      );
      if (answer !== 'take') return false;
    }
    await this.#close(jobId, (target) => target.kind === 'merge' && target.path === path);
    return this.conflicts.merged(jobId, path, saved, this.#flow);
  }

  async #accepted(jobId: string, result: AcceptResult): Promise<void> {
    this.#lastAccepted = jobId;
    this.#parts.states.forget(jobId);
    for (const { path } of result.applied) this.#parts.merges.forget(jobId, path);
    await this.#decided(
      jobId,
      result.applied.map(({ path }) => path),
    );
    say(acceptedWords(result));
  }

  /** Editors of what is decided close. From one file the person comes to the next, after the last one back to the tree. */
  async #decided(jobId: string, paths: readonly string[]): Promise<void> {
    const { host, front, states } = this.#parts;
    const before = front.target;
    await host.jobs.update();
    const isOpen = await states.isOpen(jobId);
    const isDone = (path: string) => !isOpen || paths.includes(path);
    await this.#close(jobId, (target) => (target.kind === 'job' ? !isOpen : isDone(target.path)));
    if (before?.jobId !== jobId) return;
    if (before.kind === 'file' && isOpen) {
      const review = await states.get(jobId);
      const all = review.files.map((file) => file.path);
      const at = all.indexOf(before.path);
      const left = filesToShow(review).filter((file) => file.decision === 'open');
      const next = left.find((file) => all.indexOf(file.path) > at) ?? left[0];
      if (next !== undefined) {
        await this.openFile({ jobId, path: next.path });
        return;
      }
    }
    if (!isOpen) await vscode.commands.executeCommand(`${VIEWS.jobs}.focus`);
  }

  async #close(
    jobId: string,
    isMeant: (target: ReturnType<ReviewEditorParts['front']['tabs']>[number]['target']) => boolean,
  ): Promise<void> {
    const tabs = this.#parts.front.tabs(jobId).filter(({ target }) => isMeant(target));
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs.map(({ tab }) => tab));
  }

  async #saveTarget(jobId: string, path: string): Promise<boolean> {
    const { repoRoot, files } = await this.#parts.states.get(jobId);
    const file = files.find((each) => each.path === path);
    const targets = [file?.path, file?.oldPath].flatMap((name) =>
      repoRoot === null || name === undefined || name === null ? [] : [join(repoRoot, name)],
    );
    const unsaved = vscode.workspace.textDocuments.filter(
      ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && targets.includes(uri.fsPath),
    );
    const saved = await Promise.all(unsaved.map((document) => document.save()));
    await this.#parts.dirtyPaths.flush();
    return saved.length > 0 && saved.every(Boolean);
  }
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}

/** Said where it is out of the way, and goes by itself. */
function say(text: string): void {
  vscode.window.setStatusBarMessage(text.replaceAll('$(', '$ ('), MESSAGE_MS);
}
