import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { BridgeError } from '../../base/bridgeError.ts';
import { acceptConflict } from './acceptConflict.ts';
import type { AcceptConflict } from './acceptTypes.ts';
import type { Git } from './gitRunner.ts';
import { clearJournal, writeJournal, type Journal, type JournalStep } from './journal.ts';
import {
  ChangedMeanwhile,
  directoriesOf,
  rollBackJournal,
  runJournal,
  type OnStep,
} from './journalRun.ts';
import { saveVersions } from './undoRefs.ts';

export interface WriteOptions {
  readonly git: Git;
  readonly repoRoot: string;
  readonly jobDir: string;
  readonly jobId: string;
  readonly kind: 'accept' | 'undo';
  readonly steps: readonly JournalStep[];
  /** Undo ref that this write uses up. */
  readonly usedRef: string | null;
  readonly onStep?: OnStep | undefined;
}

export type WriteResult =
  | { readonly status: 'written'; readonly undoRef: string }
  | { readonly status: 'changed'; readonly conflict: AcceptConflict };

/**
 * Writes the steps into the user's checkout as one: present versions to an undo ref, then the journal, then the files. What
 * fails in the middle is rolled back before the throw; what is killed in the middle is settled by the journal at next start.
 */
export async function writeAsOne(options: WriteOptions): Promise<WriteResult> {
  const { git, jobDir } = options;
  const onStep = options.onStep ?? (() => undefined);
  const repoRoot = await realpath(options.repoRoot);
  await mkdir(jobDir, { recursive: true, mode: 0o700 });
  await onStep('save versions');
  const saved = await saveVersions({ ...options, repoRoot });
  if ('changed' in saved)
    return { status: 'changed', conflict: acceptConflict(saved.changed, 'changed_meanwhile') };
  const journal: Journal = {
    v: 1,
    kind: options.kind,
    job: options.jobId,
    repo_root: repoRoot,
    undo_ref: saved.ref,
    used_ref: options.usedRef,
    id: randomBytes(6).toString('hex'),
    steps: [...options.steps],
    ...(await directoriesOf(
      repoRoot,
      options.steps.flatMap((step) => (step.after === null ? [] : [step.path])),
    )),
  };
  try {
    await onStep('write journal');
    await writeJournal(jobDir, journal);
    await runJournal(git, journal, onStep);
  } catch (error) {
    await undoHalf(options, journal, error);
    if (error instanceof ChangedMeanwhile) {
      return { status: 'changed', conflict: acceptConflict(error.path, 'changed_meanwhile') };
    }
    throw BridgeError.from(error);
  }
  await finishJournal(git, jobDir, journal, onStep);
  return { status: 'written', undoRef: saved.ref };
}

/** After the last step: the undo ref that was used up goes, then the journal. */
export async function finishJournal(
  git: Git,
  jobDir: string,
  journal: Journal,
  onStep: OnStep,
): Promise<void> {
  await onStep('finish');
  if (journal.used_ref !== null)
    await git.run(['update-ref', '-d', journal.used_ref], { cwd: journal.repo_root });
  await onStep('clear journal');
  await clearJournal(jobDir);
}

/**
 * Takes back what was written; returns the paths that somebody else changed since, which are left alone. `untouched` is one
 * that the write had not come to.
 */
export async function takeBackJournal(
  git: Git,
  jobDir: string,
  journal: Journal,
  onStep: OnStep,
  untouched: string | null = null,
): Promise<string[]> {
  const changed = await rollBackJournal(git, journal, onStep);
  const left = changed.filter((path) => path !== untouched);
  // With something left the versions before stay reachable.
  if (left.length === 0)
    await git.run(['update-ref', '-d', journal.undo_ref], { cwd: journal.repo_root });
  await clearJournal(jobDir);
  return left;
}

async function undoHalf(options: WriteOptions, journal: Journal, cause: unknown): Promise<void> {
  let left: string[];
  try {
    left = await takeBackJournal(
      options.git,
      options.jobDir,
      journal,
      () => undefined,
      cause instanceof ChangedMeanwhile ? cause.path : null,
    );
  } catch (error) {
    throw new BridgeError('internal', 'The accept failed and could not be taken back at once.', {
      hint: `The journal in ${options.jobDir} stays; the next start finishes the job. Versions before: ${journal.undo_ref}`,
      details: { undo_ref: journal.undo_ref },
      cause: new AggregateError([cause, error]),
    });
  }
  if (left.length === 0) return;
  throw new BridgeError(
    'conflict',
    `The accept was taken back, except ${left.join(', ')}, changed by somebody else.`,
    {
      hint: `The versions before are in ${journal.undo_ref}.`,
      details: { undo_ref: journal.undo_ref, left },
      cause,
    },
  );
}
