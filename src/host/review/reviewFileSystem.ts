import * as vscode from 'vscode';
import type { ReviewContents } from './reviewContents.ts';
import { fileError } from './fileErrors.ts';
import { readReviewUri, type ReviewDocument } from './reviewUri.ts';

export interface ReviewFileSystemOptions {
  readonly contents: ReviewContents;
  /** Whether the job's side may still be edited: it has ended, and nobody has decided about it. */
  readonly isOpen: (jobId: string) => Promise<boolean>;
  /** Writes the job's side, as an editor saves it. */
  readonly save: (document: ReviewDocument, content: Uint8Array) => Promise<void>;
}

/**
 * Both sides of a job's changes as files of VS Code: what the job started from, and what lies in its worktree, which can be edited
 * before it is taken. A file system and not a text provider, since that can show no pictures. It never touches the disk itself.
 */
export class ReviewFileSystem implements vscode.FileSystemProvider {
  readonly #options: ReviewFileSystemOptions;
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;

  constructor(options: ReviewFileSystemOptions) {
    this.#options = options;
  }

  /** Lets VS Code look at these again; what is unsaved in an editor stays. */
  lookAgain(uris: readonly vscode.Uri[]): void {
    if (uris.length > 0)
      this.#changes.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { file, isNothing } = fileOf(uri);
    const type = vscode.FileType.File;
    const readonly = vscode.FilePermission.Readonly;
    if (isNothing) return { type, ctime: 0, mtime: 0, size: 0, permissions: readonly };
    try {
      const [facts, isOpen] = await Promise.all([
        this.#options.contents.facts(file),
        file.side === 'job' ? this.#options.isOpen(file.jobId) : false,
      ]);
      if (facts === null) throw vscode.FileSystemError.FileNotFound(uri);
      const { mtimeMs: mtime, sizeBytes: size, isLink } = facts;
      const stat = { type, ctime: 0, mtime, size };
      return isOpen && !isLink ? stat : { ...stat, permissions: readonly };
    } catch (error) {
      throw fileError(error, uri);
    }
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { file, isNothing } = fileOf(uri);
    if (isNothing) return new Uint8Array();
    try {
      const bytes = await this.#options.contents.read(file);
      if (bytes === null) throw vscode.FileSystemError.FileNotFound(uri);
      return bytes;
    } catch (error) {
      throw fileError(error, uri);
    }
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { file, isNothing } = fileOf(uri);
    if (file.side === 'base' || isNothing)
      throw vscode.FileSystemError.NoPermissions('This side of a change cannot be edited.');
    try {
      await this.#options.save({ ...file, isNothing }, content);
    } catch (error) {
      throw fileError(error, uri);
    }
    this.lookAgain([uri]);
  }

  /** Changes are told as they become known, whoever watches. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  createDirectory(): never {
    throw notHere();
  }

  delete(): never {
    throw notHere();
  }

  rename(): never {
    throw notHere();
  }

  dispose(): void {
    this.#changes.dispose();
  }
}

function fileOf(uri: vscode.Uri) {
  const document = readReviewUri(uri);
  if (document === null) throw vscode.FileSystemError.FileNotFound(uri);
  const { side, isNothing, jobId, path } = document;
  if (side !== 'base' && side !== 'job') throw vscode.FileSystemError.FileNotFound(uri);
  return { file: { jobId, path, side }, isNothing };
}

function notHere(): vscode.FileSystemError {
  return vscode.FileSystemError.NoPermissions(
    'A review only edits files. Open the worktree for everything else.',
  );
}
