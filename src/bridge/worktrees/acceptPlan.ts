import type { ChangedFile } from '../../protocol/job.ts';
import { acceptConflict } from './acceptConflict.ts';
import { contentMaker } from './acceptContent.ts';
import { decideFile, type Decision } from './acceptDecide.ts';
import { allowedPaths, dirtyTest } from './acceptGuard.ts';
import { selectChanges } from './acceptSelect.ts';
import { blockedTargets } from './acceptShape.ts';
import type { AcceptConflict, AppliedFile, SkippedFile } from './acceptTypes.ts';
import type { Git } from './gitRunner.ts';
import type { JournalStep } from './journal.ts';
import { objectFormatOf, readPresent, type Present } from './journalState.ts';
import { readSides, type Entry, type Sides } from './mergeSides.ts';

export interface PlanOptions {
  readonly git: Git;
  readonly repoRoot: string;
  readonly base: string;
  /** What the change wants at these paths, as git stores it; a path that it wants absent is left out. */
  readonly readTheirs: (paths: readonly string[]) => Promise<ReadonlyMap<string, Entry>>;
  readonly files: readonly ChangedFile[];
  readonly selection: readonly string[] | 'all';
  readonly dirtyPaths: readonly string[];
  readonly resolved?: ReadonlyMap<string, Buffer> | undefined;
  readonly allowedRoot: string;
  readonly scratchDir: string;
  readonly signal?: AbortSignal | undefined;
}

export interface AcceptPlan {
  readonly applied: AppliedFile[];
  readonly conflicts: AcceptConflict[];
  readonly skipped: SkippedFile[];
  readonly steps: JournalStep[];
  readonly isMerged: boolean;
}

interface Planned {
  readonly file: ChangedFile;
  readonly how: AppliedFile['how'];
  readonly isMerged: boolean;
  readonly steps: JournalStep[];
}

/** The dry run: looks at every selected file on all three sides and says what an accept would do. Writes only objects. */
export async function planAccept(options: PlanOptions): Promise<AcceptPlan> {
  const { git, repoRoot, base, signal } = options;
  const isAllowed = await allowedPaths(repoRoot, options.allowedRoot);
  const { chosen, skipped } = selectChanges(options.files, options.selection);
  const conflicts: AcceptConflict[] = [];
  const open = chosen.filter((file) => {
    const outside = namesOf(file).find((name) => !isAllowed(name));
    if (outside !== undefined) conflicts.push(acceptConflict(file.path, 'forbidden', outside));
    return outside === undefined;
  });
  const isIgnoreCase = await readFlag(git, repoRoot, 'core.ignorecase');
  const isDirty = await dirtyTest(repoRoot, options.dirtyPaths, isIgnoreCase);
  const paths = [...new Set(open.flatMap(namesOf))];
  const format = objectFormatOf(base);
  const mine = await presentAt(repoRoot, paths, { format, exactCase: isIgnoreCase });
  const user = await readSides({
    git,
    cwd: repoRoot,
    scratchDir: options.scratchDir,
    base,
    paths,
    existing: filesOf(mine),
    signal,
  });
  const theirs = await options.readTheirs(paths);
  const make = contentMaker({
    git,
    repoRoot,
    scratchDir: options.scratchDir,
    format,
    expected: toWrite(open, user, theirs),
  });

  const planned: Planned[] = [];
  for (const file of open) {
    signal?.throwIfAborted();
    const decision: Decision = await decideFile({
      file,
      present: (path) => mine.get(path) ?? { kind: 'absent' },
      base: (path) => user.base.get(path) ?? null,
      mine: (path) => user.found.get(path) ?? null,
      theirs: (path) => theirs.get(path) ?? null,
      resolved: options.resolved?.get(file.path),
      make,
    });
    if (decision.kind === 'same') skipped.push({ path: file.path, reason: 'same' });
    else if (decision.kind === 'conflict')
      conflicts.push(acceptConflict(file.path, decision.reason));
    else if (namesOf(file).some(isDirty)) conflicts.push(acceptConflict(file.path, 'dirty_editor'));
    else planned.push({ file, ...decision });
  }
  const kept = await dropBlocked(repoRoot, planned, conflicts);
  return {
    applied: kept.map(({ file, how }) => ({ path: file.path, how })),
    conflicts,
    skipped,
    steps: kept.flatMap(({ steps }) => steps),
    isMerged: kept.some(({ isMerged }) => isMerged),
  };
}

/** Dropping one file can block another (a directory stays that had to go), so this repeats until nothing is blocked. */
async function dropBlocked(
  repoRoot: string,
  planned: readonly Planned[],
  conflicts: AcceptConflict[],
): Promise<readonly Planned[]> {
  let kept = planned;
  for (;;) {
    const blocked = await blockedTargets(
      repoRoot,
      kept.flatMap(({ steps }) => steps),
    );
    if (blocked.size === 0) return kept;
    const isBlocked = ({ steps }: Planned) => steps.some((step) => blocked.has(step.path));
    for (const { file, steps } of kept.filter(isBlocked)) {
      const step = steps.find(({ path }) => blocked.has(path));
      conflicts.push(acceptConflict(file.path, blocked.get(step?.path ?? '') ?? 'type'));
    }
    kept = kept.filter((plan) => !isBlocked(plan));
  }
}

async function presentAt(
  root: string,
  paths: readonly string[],
  options: { format: 'sha1' | 'sha256'; exactCase: boolean },
): Promise<Map<string, Present>> {
  const found = new Map<string, Present>();
  for (const path of paths) found.set(path, await readPresent(root, path, options));
  return found;
}

/** The versions of the job that go into files which the user has left alone. */
function toWrite(
  files: readonly ChangedFile[],
  user: Sides,
  theirs: ReadonlyMap<string, Entry>,
): { path: string; oid: string }[] {
  return files.flatMap((file) => {
    const [from = file.path] = namesOf(file);
    const wanted = theirs.get(file.path);
    const mine = user.found.get(from);
    const isUntouched = mine?.oid === user.base.get(from)?.oid;
    // Links and submodules have no content that filters could change.
    const isFile = wanted?.mode === '100644' || wanted?.mode === '100755';
    return isFile && isUntouched && wanted.oid !== mine?.oid
      ? [{ path: file.path, oid: wanted.oid }]
      : [];
  });
}

function filesOf(present: ReadonlyMap<string, Present>): string[] {
  return [...present].flatMap(([path, { kind }]) => (kind === 'file' ? [path] : []));
}

function namesOf(file: ChangedFile): string[] {
  return file.oldPath === null || file.oldPath === file.path
    ? [file.path]
    : [file.oldPath, file.path];
}

async function readFlag(git: Git, repoRoot: string, name: string): Promise<boolean> {
  const { stdout } = await git.run(['config', '--type=bool', '--get', name], {
    cwd: repoRoot,
    readOnly: true,
    okCodes: [0, 1],
  });
  return stdout.toString('utf8').trim() === 'true';
}
