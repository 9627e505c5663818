import { randomBytes } from 'node:crypto';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Git } from './gitRunner.ts';

/** One process per file is slow, all files at once may not fit into memory. */
const FILES_PER_CALL = 32;
/** Git reads a file per line and drops white space around it, so these names go in as an argument. */
const ODD_NAME = /[\n\r]|^[ \t]/;

export interface FilteredFile {
  readonly path: string;
  readonly oid: string;
}

/** Blobs as a checkout would write them at their paths (line ends, LFS and other filters), read a few per git call. */
export class FilteredContents {
  readonly #git: Git;
  readonly #repoRoot: string;
  readonly #expected: readonly FilteredFile[];
  #read = new Map<string, Buffer>();

  /** @param expected what will be asked for, about in this order; anything else may be asked for too. */
  constructor(git: Git, repoRoot: string, expected: readonly FilteredFile[]) {
    this.#git = git;
    this.#repoRoot = repoRoot;
    this.#expected = expected.filter(({ path }) => !ODD_NAME.test(path));
  }

  /** Throws `git_failed` when the blob is missing or a filter that is required fails. */
  async get(path: string, oid: string): Promise<Buffer> {
    if (!this.#read.has(keyOf({ path, oid }))) {
      const at = this.#expected.findIndex((file) => file.path === path && file.oid === oid);
      if (at < 0) return await this.#run(['cat-file', '--filters', `--path=${path}`, oid], '');
      this.#read = await this.#batch(this.#expected.slice(at, at + FILES_PER_CALL));
    }
    const content = this.#read.get(keyOf({ path, oid }));
    if (content === undefined) throw new BridgeError('internal', `Nothing was read for ${path}.`);
    return content;
  }

  async #batch(files: readonly FilteredFile[]): Promise<Map<string, Buffer>> {
    // The size that git prints is that of the unfiltered blob. No content can hold this line: it is made up now.
    const header = Buffer.from(`${randomBytes(16).toString('hex')}\n`);
    const stdout = await this.#run(
      ['cat-file', '--filters', `--batch=${header.toString().trimEnd()}`],
      files.map(({ path, oid }) => `${oid} ${path}\n`).join(''),
    );
    const starts: number[] = [];
    for (let at = stdout.indexOf(header); at >= 0; at = stdout.indexOf(header, at + header.length))
      starts.push(at);
    // For a missing blob git prints a line of another form: nothing may be told apart by its place then.
    if (starts.length !== files.length) {
      throw new BridgeError(
        'git_failed',
        'A stored version of a file that the job wrote is missing.',
        {
          hint: 'Check the repository with "git fsck".',
        },
      );
    }
    const contents = new Map<string, Buffer>();
    for (const [index, file] of files.entries()) {
      // Git ends each content with a line feed of its own.
      const end = (starts[index + 1] ?? stdout.length) - 1;
      contents.set(keyOf(file), stdout.subarray((starts[index] ?? 0) + header.length, end));
    }
    return contents;
  }

  async #run(args: string[], input: string): Promise<Buffer> {
    const { stdout } = await this.#git.run(args, {
      cwd: this.#repoRoot,
      input,
      maxBytes: Number.MAX_SAFE_INTEGER,
      readOnly: true,
    });
    return stdout;
  }
}

function keyOf({ path, oid }: FilteredFile): string {
  return `${oid} ${path}`;
}
