import { lstat, mkdir, open, readdir, rename, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Git } from './gitRunner.ts';
import type { Journal, JournalStep } from './journal.ts';
import { readBlobs } from './journalBlobs.ts';
import { syncDirectory } from './journal.ts';
import {
  isSameState,
  objectFormatOf,
  readPresent,
  type FileState,
  type Present,
} from './journalState.ts';

const BLOBS_PER_CALL = 32;

/** Called before each thing that changes the disk, with a name for it; tests kill the process or fail the disk here. */
export type OnStep = (name: string) => void | Promise<void>;

/** A file was changed by somebody else between the plan and the write. */
export class ChangedMeanwhile extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} changed while the accept was being written.`);
    this.path = path;
  }
}

/**
 * Writes the steps of a journal as one. All new contents are staged as temporary files beside their targets first, so that
 * a full disk is met before anything is replaced; then every step is one unlink or one rename. Each step first checks that
 * its path still holds the version that was planned for (`ChangedMeanwhile` otherwise). The caller rolls back on any throw.
 */
export async function runJournal(git: Git, journal: Journal, onStep: OnStep): Promise<void> {
  const staged = await stage(
    git,
    journal,
    journal.steps.map((step) => step.after),
    'w',
    onStep,
  );
  await commit(journal, journal.steps, staged, onStep);
}

/**
 * Puts the versions before back wherever a step had been done, and returns the paths that hold neither version (somebody
 * changed them since): those are left alone. Safe to repeat after any interruption.
 */
export async function rollBackJournal(
  git: Git,
  journal: Journal,
  onStep: OnStep,
): Promise<string[]> {
  await removeTemps(journal);
  const undone: JournalStep[] = [];
  const left: string[] = [];
  for (const step of journal.steps) {
    const found = await present(journal, step);
    if (isSameState(found, step.before)) continue;
    if (isSameState(found, step.after))
      undone.push({ path: step.path, before: step.after, after: step.before });
    else left.push(step.path);
  }
  const reverse = { ...journal, steps: undone };
  const staged = await stage(
    git,
    reverse,
    undone.map((step) => step.after),
    'r',
    onStep,
  );
  await commit(reverse, undone, staged, onStep);
  for (const directory of [...journal.created_dirs].reverse())
    await rmdirIfEmpty(join(journal.repo_root, directory));
  return left;
}

/** Whether every step of the journal is on disk. */
export async function isJournalComplete(journal: Journal): Promise<boolean> {
  for (const step of journal.steps) {
    const found = await present(journal, step);
    if (!isSameState(found, step.after)) return false;
  }
  return true;
}

export async function removeTemps(journal: Journal): Promise<void> {
  for (const directory of journal.temp_dirs) {
    const full = join(journal.repo_root, directory);
    for (const name of await readdirOrNone(full)) {
      if (name.startsWith(tempPrefix(journal))) await rm(join(full, name), { force: true });
    }
  }
}

/** The directories (relative, '' = root) that a set of steps may stage in, and those that it creates. */
export async function directoriesOf(
  repoRoot: string,
  paths: readonly string[],
): Promise<Pick<Journal, 'created_dirs' | 'temp_dirs'>> {
  const created = new Set<string>();
  const temp = new Set(['']);
  for (const path of paths) {
    for (
      let parent = parentOf(path);
      parent !== '' && !temp.has(parent);
      parent = parentOf(parent)
    ) {
      temp.add(parent);
      if (!(await isRealDirectory(join(repoRoot, parent)))) created.add(parent);
    }
  }
  return {
    created_dirs: [...created].sort((a, b) => a.length - b.length),
    temp_dirs: [...temp],
  };
}

async function stage(
  git: Git,
  journal: Journal,
  states: readonly (FileState | null)[],
  series: string,
  onStep: OnStep,
): Promise<(string | null)[]> {
  const staged: (string | null)[] = [];
  let blobs = new Map<string, Buffer>();
  for (const [index, state] of states.entries()) {
    const path = journal.steps[index]?.path;
    if (state === null || path === undefined) {
      staged.push(null);
      continue;
    }
    let parent = parentOf(path);
    while (parent !== '' && !(await isRealDirectory(join(journal.repo_root, parent))))
      parent = parentOf(parent);
    const temp = join(journal.repo_root, parent, `${tempPrefix(journal)}${series}${index}.tmp`);
    await onStep(`stage ${path}`);
    if (!blobs.has(state.oid))
      blobs = await readBlobs(git, journal.repo_root, nextOids(states, index));
    const bytes = blobs.get(state.oid);
    if (bytes === undefined) throw new BridgeError('internal', `Nothing was read for ${path}.`);
    await writeDurably(temp, bytes, state);
    staged.push(temp);
  }
  return staged;
}

/** Contents are read a few at a time: one git call each is slow, all at once may not fit into memory. */
function nextOids(states: readonly (FileState | null)[], from: number): string[] {
  const next = states.slice(from, from + BLOBS_PER_CALL);
  return [...new Set(next.flatMap((state) => (state === null ? [] : [state.oid])))];
}

async function commit(
  journal: Journal,
  steps: readonly JournalStep[],
  staged: readonly (string | null)[],
  onStep: OnStep,
): Promise<void> {
  const touched = new Set<string>();
  const order = [...steps.entries()];
  const deletions = order
    .filter(([, step]) => step.after === null)
    .sort(([, a], [, b]) => (a.path < b.path ? 1 : -1));
  const writes = order.filter(([, step]) => step.after !== null);
  for (const [, step] of deletions) {
    const full = join(journal.repo_root, step.path);
    await onStep(`delete ${step.path}`);
    await checkUnchanged(journal, step);
    if (step.before !== null) await unlink(full);
    touched.add(await removeEmptyParents(journal.repo_root, step.path));
  }
  for (const [index, step] of writes) {
    const temp = staged[index];
    if (temp === null || temp === undefined)
      throw new BridgeError('internal', `Nothing was staged for ${step.path}.`);
    const full = join(journal.repo_root, step.path);
    await onStep(`write ${step.path}`);
    await checkUnchanged(journal, step);
    await rmdirIfEmpty(full);
    await mkdir(dirname(full), { recursive: true });
    await rename(temp, full);
    touched.add(dirname(full));
  }
  for (const directory of touched)
    if (await isRealDirectory(directory)) await syncDirectory(directory);
}

async function checkUnchanged(journal: Journal, step: JournalStep): Promise<void> {
  const found = await present(journal, step);
  // A parent that is a link would take the write out of the checkout; a parent that is a file would fail it.
  if (found.kind === 'behind' || !isSameState(found, step.before))
    throw new ChangedMeanwhile(step.path);
}

/** Names that differ in case only are two files or one; only the listing of the folder says which. */
async function present(journal: Journal, step: JournalStep): Promise<Present> {
  const folded = new Set(journal.steps.map(({ path }) => path.toLowerCase()));
  return await readPresent(journal.repo_root, step.path, {
    format: objectFormatOf((step.before ?? step.after)?.oid ?? ''),
    exactCase: folded.size < journal.steps.length,
  });
}

async function writeDurably(temp: string, bytes: Buffer, state: FileState): Promise<void> {
  if (state.mode === '120000') {
    await symlink(bytes, temp);
    return;
  }
  const file = await open(temp, 'wx', state.mode === '100755' ? 0o777 : 0o666);
  try {
    await file.writeFile(bytes);
    if (state.perm !== null) await file.chmod(state.perm);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removeEmptyParents(repoRoot: string, path: string): Promise<string> {
  let parent = parentOf(path);
  while (parent !== '' && (await rmdirIfEmpty(join(repoRoot, parent)))) parent = parentOf(parent);
  return join(repoRoot, parent);
}

async function rmdirIfEmpty(directory: string): Promise<boolean> {
  try {
    await rmdir(directory);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY', 'EPERM'].includes(code)) return false;
    throw error;
  }
}

async function isRealDirectory(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

async function readdirOrNone(directory: string): Promise<string[]> {
  if (!(await isRealDirectory(directory))) return [];
  return await readdir(directory);
}

function parentOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function tempPrefix(journal: Journal): string {
  return `.delegate-${journal.id}-`;
}
