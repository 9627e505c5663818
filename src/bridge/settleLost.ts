import { existsSync, statSync } from 'node:fs';
import { BridgeError } from '../base/bridgeError.ts';
import type { ChangedFile, JobRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { hostEndedFile } from './jobs/jobPaths.ts';
import { RepositoryWatch } from './repositoryWatch.ts';
import { listChanges } from './worktrees/changeList.ts';
import { WorktreeGit } from './worktrees/worktreeGit.ts';

/** Later than this after the death of a job's process, what has changed in the repository is taken for the user's own work. */
const COMPARE_WITHIN_MS = 60_000;

/**
 * What the host of a job would have done at its end, for one that was killed: the repository's config, hooks and refs are compared
 * and put back, and the changes are listed. Done by the process that found it dead.
 */
export async function settleLost(context: BridgeContext, jobId: string): Promise<void> {
  const record = context.store.find(jobId)?.record;
  if (record === undefined) return;
  const warnings: string[] = [];
  const tampered = await compareRepository(context, record, warnings);
  const files = await listTree(context, record, warnings);
  if (tampered.length === 0 && files === null && warnings.length === 0) return;
  context.store.update(jobId, (present) => ({
    ...present,
    tampered,
    filesChanged: files ?? present.filesChanged,
    // A tree in which nothing was changed asks nothing of a person.
    review:
      files?.length === 0 && present.review.status === 'pending'
        ? { ...present.review, status: 'none' }
        : present.review,
    warnings: [...present.warnings, ...warnings],
  }));
}

async function compareRepository(
  context: BridgeContext,
  record: JobRecord,
  warnings: string[],
): Promise<string[]> {
  const watch = await RepositoryWatch.ofDeadJob(context, record.id);
  if (watch === null || record.worktree === null) return [];
  const diedFile = hostEndedFile(context.stateDir, record.id);
  const isFresh =
    existsSync(diedFile) && Date.now() - statSync(diedFile).mtimeMs <= COMPARE_WITHIN_MS;
  if (!isFresh) {
    watch.forget();
    warnings.push(
      'Config, hooks and refs of the repository were not compared: the process of the job was gone for too long before anybody looked.',
    );
    return [];
  }
  const report = await watch.finish(record.worktree);
  warnings.push(...report.warnings);
  return report.tampered;
}

async function listTree(
  context: BridgeContext,
  record: JobRecord,
  warnings: string[],
): Promise<ChangedFile[] | null> {
  const tree = record.worktree;
  if (tree === null || !tree.kept || record.isolation === 'none') return null;
  try {
    const git = new WorktreeGit(await context.git(), tree.root);
    return await listChanges({ git, root: tree.root, base: tree.base });
  } catch (error) {
    warnings.push(`The changes could not be listed: ${BridgeError.from(error).message}`);
    return null;
  }
}
