import { createHash } from 'node:crypto';
import { lstat, readFile, readdir, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** One version of a file as it lies on disk: `oid` is git's hash of the raw bytes (no filters) or of a link's target. */
export interface FileState {
  readonly mode: '100644' | '100755' | '120000';
  readonly oid: string;
  /** Permission bits to put back; null = whatever the system gives a new file. */
  readonly perm: number | null;
}

/** What is at a path of a checkout. `behind`: a parent is a link or a file, so that nothing of the checkout can be there. */
export type Present =
  | { readonly kind: 'file'; readonly state: FileState; readonly bytes: Buffer }
  | { readonly kind: 'absent' | 'directory' | 'other' }
  | { readonly kind: 'behind'; readonly parent: string; readonly isLink: boolean };

export type ObjectFormat = 'sha1' | 'sha256';

/** Git's name for these bytes as a blob. */
export function blobId(bytes: Buffer, format: ObjectFormat): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

export function objectFormatOf(oid: string): ObjectFormat {
  return oid.length === 64 ? 'sha256' : 'sha1';
}

/**
 * Looks at one path without following any link, parents included. `exactCase` is for file systems that ignore case: there
 * `README` is found under `readme` as well, and only the directory listing says which of the two exists.
 */
export async function readPresent(
  repoRoot: string,
  path: string,
  options: { format: ObjectFormat; exactCase?: boolean },
): Promise<Present> {
  const parents = path.split('/').slice(0, -1);
  let parent = '';
  for (const name of parents) {
    parent = parent === '' ? name : `${parent}/${name}`;
    const stat = await lstatOrNull(join(repoRoot, parent));
    if (stat === null) return { kind: 'absent' };
    if (!stat.isDirectory()) return { kind: 'behind', parent, isLink: stat.isSymbolicLink() };
  }
  const full = join(repoRoot, path);
  const stat = await lstatOrNull(full);
  if (stat === null) return { kind: 'absent' };
  if (
    options.exactCase === true &&
    !(await readdir(dirname(full))).includes(path.slice(path.lastIndexOf('/') + 1))
  ) {
    return { kind: 'absent' };
  }
  if (stat.isDirectory()) return { kind: 'directory' };
  if (stat.isSymbolicLink()) {
    const bytes = await readlink(full, { encoding: 'buffer' });
    return {
      kind: 'file',
      bytes,
      state: { mode: '120000', oid: blobId(bytes, options.format), perm: null },
    };
  }
  if (!stat.isFile()) return { kind: 'other' };
  const bytes = await readFile(full);
  const perm = stat.mode & 0o7777;
  const mode = (perm & 0o100) === 0 ? '100644' : '100755';
  return { kind: 'file', bytes, state: { mode, oid: blobId(bytes, options.format), perm } };
}

/** Whether the path holds exactly this version; permission bits other than "executable" do not count. */
export function isSameState(present: Present, wanted: FileState | null): boolean {
  if (present.kind !== 'file') return wanted === null && present.kind !== 'other';
  return wanted !== null && present.state.oid === wanted.oid && present.state.mode === wanted.mode;
}

async function lstatOrNull(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
