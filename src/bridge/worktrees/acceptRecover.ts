import { existsSync } from 'node:fs';
import { finishJournal, takeBackJournal } from './acceptWrite.ts';
import type { Git } from './gitRunner.ts';
import { clearJournal, readJournal } from './journal.ts';
import { isJournalComplete, removeTemps, type OnStep } from './journalRun.ts';
import { findRepository } from './repository.ts';
import { withRepositoryLock } from './repositoryLock.ts';

export interface RecoverResult {
  /** `finished`: all files had been written, so that the accept (or undo) counts. `undone`: the checkout is as before it. */
  readonly status: 'none' | 'finished' | 'undone';
  readonly kind: 'accept' | 'undo' | null;
  readonly job: string | null;
  readonly paths: string[];
  readonly undoRef: string | null;
  /** Files that hold neither version, since somebody changed them after the interruption; left alone. */
  readonly left: string[];
}

const NONE: RecoverResult = {
  status: 'none',
  kind: null,
  job: null,
  paths: [],
  undoRef: null,
  left: [],
};

/** Settles an accept or undo of this job that was cut short. To be called at start, and harmless when there is none. */
export async function recoverAccept(options: {
  git: Git;
  stateDir: string;
  jobDir: string;
  signal?: AbortSignal | undefined;
  onStep?: OnStep | undefined;
}): Promise<RecoverResult> {
  const { git, jobDir, stateDir, signal } = options;
  const journal = await readJournal(jobDir);
  if (journal === null) return NONE;
  if (!existsSync(journal.repo_root)) {
    await clearJournal(jobDir);
    return { ...NONE, status: 'undone', kind: journal.kind, job: journal.job };
  }
  const { commonDir } = await findRepository(git, journal.repo_root, signal);
  // The lock tells a write that was cut short from one that another process is in the middle of.
  return await withRepositoryLock(
    { stateDir, commonDir, signal },
    async () => await recoverLocked(options),
  );
}

/** The same for a caller that holds the repository's lock. */
export async function recoverLocked(options: {
  git: Git;
  jobDir: string;
  onStep?: OnStep | undefined;
}): Promise<RecoverResult> {
  const { git, jobDir } = options;
  const onStep = options.onStep ?? (() => undefined);
  const journal = await readJournal(jobDir);
  if (journal === null) return NONE;
  const result = {
    kind: journal.kind,
    job: journal.job,
    paths: journal.steps.map((step) => step.path),
  };
  if (await isJournalComplete(journal)) {
    await removeTemps(journal);
    await finishJournal(git, jobDir, journal, onStep);
    return { ...result, status: 'finished', undoRef: journal.undo_ref, left: [] };
  }
  const left = await takeBackJournal(git, jobDir, journal, onStep);
  return { ...result, status: 'undone', undoRef: left.length > 0 ? journal.undo_ref : null, left };
}
