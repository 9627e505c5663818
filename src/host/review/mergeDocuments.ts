import * as vscode from 'vscode';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import { fileError } from './fileErrors.ts';
import type { Memory } from './reviewTitles.ts';
import { type MergeSide, readReviewUri, reviewUri } from './reviewUri.ts';

type Texts = Readonly<Record<MergeSide, Uint8Array>>;

interface Merge {
  /** As the engine gave them; `result` has markers where the sides do not agree. */
  readonly texts: Promise<Texts>;
  /** The result as it was saved last; null while it is the engine's. */
  saved: Uint8Array | null;
  mtime: number;
}

const MAX_KEPT_BYTES = 1024 * 1024;

/**
 * The four texts of each merge as files of VS Code, in memory: a merge writes nothing anywhere before it is accepted. After a reload of
 * the window the engine is asked for them again, and a result that was saved is still there.
 */
export class MergeDocuments implements vscode.FileSystemProvider {
  readonly #link: Pick<BridgeLink, 'call'>;
  readonly #memory: Memory;
  readonly #merges = new Map<string, Merge>();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;

  constructor(link: Pick<BridgeLink, 'call'>, memory: Memory) {
    this.#link = link;
    this.#memory = memory;
  }

  /** Asks the engine for the texts as they are now, and forgets what was merged before. */
  async begin(jobId: string, path: string): Promise<void> {
    this.forget(jobId, path);
    await this.#merge(jobId, path).texts;
    const sides = ['merge-base', 'yours', 'theirs', 'result'] as const;
    this.#changes.fire(
      sides.map((side) => ({
        type: vscode.FileChangeType.Changed,
        uri: vscode.Uri.from(reviewUri({ jobId, path, side })),
      })),
    );
  }

  /** The result as it was saved last, and as the engine made it. */
  async result(jobId: string, path: string): Promise<{ saved: Uint8Array; marked: Uint8Array }> {
    const merge = this.#merge(jobId, path);
    const { result } = await merge.texts;
    return { saved: merge.saved ?? result, marked: result };
  }

  forget(jobId: string, path: string): void {
    this.#merges.delete(keyOf(jobId, path));
    void this.#memory.update(keyOf(jobId, path), undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { jobId, path, side } = documentOf(uri);
    const merge = this.#merge(jobId, path);
    const { byteLength: size } = await this.#read(merge, side, uri);
    const stat = { type: vscode.FileType.File, ctime: 0, mtime: merge.mtime, size };
    return side === 'result' ? stat : { ...stat, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { jobId, path, side } = documentOf(uri);
    return this.#read(this.#merge(jobId, path), side, uri);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const { jobId, path, side } = documentOf(uri);
    if (side !== 'result')
      throw vscode.FileSystemError.NoPermissions('Only the result of a merge can be edited.');
    const merge = this.#merge(jobId, path);
    merge.saved = content;
    merge.mtime += 1;
    if (content.byteLength <= MAX_KEPT_BYTES) {
      const kept = Buffer.from(content).toString('base64');
      void this.#memory.update(keyOf(jobId, path), kept);
    }
    this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

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

  #merge(jobId: string, path: string): Merge {
    const key = keyOf(jobId, path);
    const known = this.#merges.get(key);
    if (known !== undefined) return known;
    const kept = this.#memory.get<string>(key);
    const merge: Merge = {
      texts: this.#ask(jobId, path),
      saved: kept === undefined ? null : Buffer.from(kept, 'base64'),
      mtime: Date.now(),
    };
    // A failure is not kept: whoever looks next asks again.
    merge.texts.catch(() => {
      if (this.#merges.get(key) === merge) this.#merges.delete(key);
    });
    this.#merges.set(key, merge);
    return merge;
  }

  async #ask(jobId: string, path: string): Promise<Texts> {
    const answer = await this.#link.call('merge_inputs', { jobId, path });
    return {
      'merge-base': Buffer.from(answer.baseBase64, 'base64'),
      yours: Buffer.from(answer.yoursBase64, 'base64'),
      theirs: Buffer.from(answer.jobBase64, 'base64'),
      result: Buffer.from(answer.resultBase64, 'base64'),
    };
  }

  async #read(merge: Merge, side: MergeSide, uri: vscode.Uri): Promise<Uint8Array> {
    try {
      const texts = await merge.texts;
      return side === 'result' ? (merge.saved ?? texts.result) : texts[side];
    } catch (error) {
      throw fileError(error, uri);
    }
  }
}

function documentOf(uri: vscode.Uri) {
  const document = readReviewUri(uri);
  if (document === null || document.side === 'base' || document.side === 'job')
    throw vscode.FileSystemError.FileNotFound(uri);
  return { ...document, side: document.side };
}

function keyOf(jobId: string, path: string): string {
  return `merge ${jobId} ${path}`;
}

function notHere(): vscode.FileSystemError {
  return vscode.FileSystemError.NoPermissions('A merge has nothing but its four texts.');
}
