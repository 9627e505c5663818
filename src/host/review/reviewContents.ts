import { BridgeError } from '../../base/bridgeError.ts';
import { MAX_REVIEW_FILE_BYTES } from '../../protocol/ui/maxReviewFileBytes.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import { BoundedCache } from './boundedCache.ts';

export interface FileFacts {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly isLink: boolean;
}

interface Side {
  readonly jobId: string;
  readonly path: string;
  readonly side: 'base' | 'job';
}

const BASE_CACHE_BYTES = 32 * 1024 * 1024;
/** What an entry weighs beside its content. */
const ENTRY_BYTES = 200;

/** Both sides of changed files, as the engine has them. What a job started from never changes, so that is asked for once. */
export class ReviewContents {
  readonly #link: Pick<BridgeLink, 'call'>;
  readonly #base = new BoundedCache<{ facts: FileFacts | null; bytes: Uint8Array | null }>(
    BASE_CACHE_BYTES,
  );

  constructor(link: Pick<BridgeLink, 'call'>) {
    this.#link = link;
  }

  /** Null when there is no such file on that side. */
  async facts(file: Side): Promise<FileFacts | null> {
    const key = keyOf(file);
    const known = this.#base.get(key);
    if (known !== undefined) return known.facts;
    const { facts } = await this.#ask(file, true);
    if (file.side === 'base' && facts === null)
      this.#base.set(key, { facts, bytes: null }, ENTRY_BYTES);
    return facts;
  }

  /**
   * Null when there is no such file on that side; a link's content is its target.
   * @throws BridgeError `not_supported` for a file that is too large for an editor
   */
  async read(file: Side): Promise<Uint8Array | null> {
    const key = keyOf(file);
    const known = this.#base.get(key);
    if (known !== undefined) return known.bytes;
    const { facts, bytes } = await this.#ask(file, false);
    if (file.side === 'base')
      this.#base.set(key, { facts, bytes }, ENTRY_BYTES + (bytes?.byteLength ?? 0));
    return bytes;
  }

  async #ask(
    { jobId, path, side }: Side,
    statOnly: boolean,
  ): Promise<{ facts: FileFacts | null; bytes: Uint8Array | null }> {
    const answer = await this.#link.call('review_file', { jobId, path, side, statOnly });
    if (!answer.exists) return { facts: null, bytes: null };
    const { sizeBytes, mtimeMs, isLink } = answer;
    const facts = { sizeBytes, mtimeMs, isLink };
    if (statOnly) return { facts, bytes: null };
    if (answer.contentBase64 === null) throw tooLarge(path, sizeBytes);
    return { facts, bytes: Buffer.from(answer.contentBase64, 'base64') };
  }
}

function keyOf({ jobId, path, side }: Side): string {
  return `${side} ${jobId} ${path}`;
}

function tooLarge(path: string, sizeBytes: number): BridgeError {
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return new BridgeError(
    'not_supported',
    `${path} has ${megabytes(sizeBytes)} MB; the review shows files of up to ${megabytes(MAX_REVIEW_FILE_BYTES)} MB.`,
    { hint: 'Open the worktree to look at it.' },
  );
}
