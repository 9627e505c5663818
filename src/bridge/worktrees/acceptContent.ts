import { BridgeError } from '../../base/bridgeError.ts';
import type { ConflictReason } from './acceptTypes.ts';
import { FilteredContents, type FilteredFile } from './filteredContents.ts';
import type { Git } from './gitRunner.ts';
import { blobId, type FileState, type ObjectFormat } from './journalState.ts';
import type { Entry } from './mergeSides.ts';
import { isBinary, lineEndOf, mergeText, withLineEnd } from './mergeText.ts';
import { storeBlob } from './undoRefs.ts';

interface Present {
  readonly base: Entry | null;
  readonly before: FileState | null;
  readonly bytes: Buffer | null;
}

/** Makes the raw version that will lie in the user's checkout; every version it returns is stored as a blob. */
export interface ContentMaker {
  fromEntry(path: string, entry: Entry, present: Present): Promise<FileState>;
  fromResolved(bytes: Buffer, mode: string, before: FileState | null): Promise<FileState>;
  withMode(before: FileState, mode: string): FileState;
  merged(
    path: string,
    sides: {
      base: Entry;
      mine: Entry;
      theirs: Entry;
      mode: string;
      before: FileState;
      bytes: Buffer;
    },
  ): Promise<FileState | Extract<ConflictReason, 'overlap' | 'binary'>>;
}

export function contentMaker(options: {
  git: Git;
  repoRoot: string;
  scratchDir: string;
  format: ObjectFormat;
  /** Versions that will be asked for, about in this order. */
  expected: readonly FilteredFile[];
}): ContentMaker {
  const { git, repoRoot, scratchDir } = options;
  const filtered = new FilteredContents(git, repoRoot, options.expected);
  const read = async (args: string[]) =>
    (await git.run(args, { cwd: repoRoot, maxBytes: Number.MAX_SAFE_INTEGER, readOnly: true }))
      .stdout;
  const blob = async (oid: string) => await read(['cat-file', 'blob', oid]);

  /** As a checkout would write it, except that a user's file keeps its line ends unless the job changed them. */
  const toDisk = async (path: string, oid: string, present: Present): Promise<Buffer> => {
    const disk = await filtered.get(path, oid);
    if (present.bytes === null || present.base === null || isBinary(disk)) return disk;
    const wanted = lineEndOf(present.bytes);
    const got = lineEndOf(disk);
    if (wanted === got || !isPlain(wanted) || !isPlain(got)) return disk;
    const [before, after] = [lineEndOf(await blob(present.base.oid)), lineEndOf(await blob(oid))];
    return before === after ? withLineEnd(disk, wanted) : disk;
  };
  const state = async (
    bytes: Buffer,
    mode: string,
    before: FileState | null,
  ): Promise<FileState> => {
    const fileMode = asFileMode(mode);
    return {
      mode: fileMode,
      oid: await storeBlob(git, repoRoot, bytes),
      perm: permFor(before, fileMode),
    };
  };

  return {
    async fromEntry(path, entry, present) {
      const mode = asFileMode(entry.mode);
      if (mode === '120000') return { mode, oid: entry.oid, perm: null };
      const disk = await toDisk(path, entry.oid, present);
      if (blobId(disk, options.format) !== entry.oid)
        return await state(disk, mode, present.before);
      return { mode, oid: entry.oid, perm: permFor(present.before, mode) };
    },
    async fromResolved(bytes, mode, before) {
      return await state(bytes, mode, before);
    },
    withMode(before, mode) {
      const fileMode = asFileMode(mode);
      return {
        mode: fileMode,
        oid: before.oid,
        perm: permFor(before, fileMode),
      };
    },
    async merged(path, { base, mine, theirs, mode, before, bytes }) {
      if (await isMergeOff(git, repoRoot, path)) return 'binary';
      const result = await mergeText({
        git,
        cwd: repoRoot,
        scratchDir,
        base: await blob(base.oid),
        mine: await blob(mine.oid),
        theirs: await blob(theirs.oid),
      });
      if (result.status !== 'merged') return result.status;
      const clean = await storeBlob(git, repoRoot, result.content);
      // The user's side as git stores it stands for the base here: the merge gave its line ends to the result.
      const disk = await toDisk(path, clean, { base: mine, before, bytes });
      return await state(disk, mode, before);
    },
  };
}

function asFileMode(mode: string): FileState['mode'] {
  if (mode === '100644' || mode === '100755' || mode === '120000') return mode;
  throw new BridgeError('internal', `Mode ${mode} is no mode of a file.`);
}

/** Keeps what the user has set (a private 0600 stays private); the executable bit follows the right to read. */
function permFor(before: FileState | null, mode: FileState['mode']): number | null {
  const perm = before?.perm ?? null;
  if (perm === null || mode === '120000') return null;
  return mode === '100755' ? perm | ((perm & 0o444) >> 2) | 0o100 : perm & ~0o111;
}

function isPlain(lineEnd: ReturnType<typeof lineEndOf>): lineEnd is 'lf' | 'crlf' {
  return lineEnd === 'lf' || lineEnd === 'crlf';
}

/** `-merge` or `binary` in the attributes; drivers that the config names are programs and never run here. */
async function isMergeOff(git: Git, repoRoot: string, path: string): Promise<boolean> {
  const { stdout } = await git.run(['check-attr', '-z', 'merge', '--', path], {
    cwd: repoRoot,
    readOnly: true,
  });
  return stdout.toString('utf8').split('\0')[2] === 'unset';
}
