import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanUpLocked, type CleanUpResult } from './cleanUp.ts';
import { isThere } from './cleanUpDirectory.ts';
import { baseRefOf } from './createWorktree.ts';
import type { Git } from './gitRunner.ts';
import { rejectedDir, rejectedRef } from './rejectNote.ts';
import { withRepositoryLock } from './repositoryLock.ts';
import { undoNumbers, undoRef } from './undoRefs.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** One job whose worktree is not to be there any more. Jobs with a worktree in use are not handed in. */
export interface SweepRecord {
  readonly jobId: string;
  readonly jobDir: string;
  readonly commonDir: string;
  readonly root: string;
  /** Null = keep the branch (an accept made a commit on it). */
  readonly branch: string | null;
  /** When the word on the result was said; what a rejection or an undo needs is kept from then on. */
  readonly reviewedAt: Date;
}

export interface SweepResult extends CleanUpResult {
  readonly jobId: string;
}

/**
 * Goes on with every clean-up that could not be finished, and past `keepRejectedDays` gives up what was kept of rejected
 * jobs and for undo. One job that fails does not stop the others: its reason is in `left`.
 */
export async function sweep(
  records: readonly SweepRecord[],
  options: {
    git: Git;
    stateDir: string;
    keepRejectedDays: number;
    now: Date;
    signal?: AbortSignal | undefined;
  },
): Promise<SweepResult[]> {
  const results: SweepResult[] = [];
  for (const record of records) {
    options.signal?.throwIfAborted();
    try {
      results.push({ jobId: record.jobId, ...(await sweepOne(record, options)) });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      results.push({ jobId: record.jobId, removed: [], left: [{ what: record.root, why }] });
    }
  }
  return results;
}

async function sweepOne(
  record: SweepRecord,
  options: {
    git: Git;
    stateDir: string;
    keepRejectedDays: number;
    now: Date;
    signal?: AbortSignal | undefined;
  },
): Promise<CleanUpResult> {
  const { git, stateDir, signal } = options;
  const { commonDir, jobId, jobDir, root, branch } = record;
  const isExpired =
    options.now.getTime() - record.reviewedAt.getTime() > options.keepRejectedDays * DAY_MS;
  return await withRepositoryLock({ stateDir, commonDir, signal }, async () => {
    const refs: string[] = [];
    if (isExpired && (await isThere(join(commonDir, 'HEAD')))) {
      refs.push(rejectedRef(jobId), baseRefOf(jobId));
      refs.push(...(await undoNumbers(git, commonDir, jobId)).map((n) => undoRef(jobId, n)));
    }
    if (isExpired) await rm(rejectedDir(jobDir), { recursive: true, force: true });
    return await cleanUpLocked({ git, commonDir, root, branch, refs });
  });
}
