import * as vscode from 'vscode';
import { SCHEMES } from '../../contributions.ts';
import { jobOfUri } from '../commands/jobReference.ts';
import type { JobFiles } from './jobFiles.ts';
import type { FileChange } from './rows/fileRow.ts';

const LETTERS: Readonly<Record<FileChange['change'], readonly [letter: string, color: string]>> = {
  added: ['A', 'gitDecoration.addedResourceForeground'],
  modified: ['M', 'gitDecoration.modifiedResourceForeground'],
  deleted: ['D', 'gitDecoration.deletedResourceForeground'],
  renamed: ['R', 'gitDecoration.renamedResourceForeground'],
  mode: ['M', 'gitDecoration.modifiedResourceForeground'],
  type: ['T', 'gitDecoration.modifiedResourceForeground'],
  submodule: ['S', 'gitDecoration.submoduleResourceForeground'],
  ignored: ['I', 'gitDecoration.ignoredResourceForeground'],
  nested: ['N', 'gitDecoration.submoduleResourceForeground'],
};
const REJECTED = 'gitDecoration.ignoredResourceForeground';

/** The letters and colours that git's own list has, on the files of jobs: in the tree and on the tabs of their editors. */
export class FileDecorations implements vscode.FileDecorationProvider {
  readonly #files: Pick<JobFiles, 'file'>;
  readonly #changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.#changes.event;

  constructor(files: Pick<JobFiles, 'file'>) {
    this.#files = files;
  }

  /** The files of a job have been read. */
  loaded(): void {
    this.#changes.fire(undefined);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== SCHEMES.job) return undefined;
    const reference = jobOfUri(uri);
    if (reference?.path === null || reference === null) return undefined;
    const file = this.#files.file(reference.jobId, reference.path);
    if (file === null) return undefined;
    const [letter, color] = LETTERS[file.change];
    const isRejected = file.decision === 'dropped';
    return {
      badge: letter,
      color: new vscode.ThemeColor(isRejected ? REJECTED : color),
      tooltip: isRejected ? `${file.change}, rejected` : file.change,
      propagate: false,
    };
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
