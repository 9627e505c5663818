import { existsSync, rmSync } from 'node:fs';
import type { WorktreeRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { GcReport } from './bridgeTypes.ts';
import { folderBytes } from './folderBytes.ts';
import { jobDir } from './jobs/jobPaths.ts';
import type { StoredJob } from './jobs/jobRow.ts';
import { isFinal } from './jobs/status.ts';
import { strayJobFolders } from './strayJobFolders.ts';
import { sweep, type SweepRecord } from './worktrees/cleanUpSweep.ts';
import type { Git } from './worktrees/gitRunner.ts';
import { tryFindRepository } from './worktrees/repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const GB = 1024 ** 3;

/**
 * Retention by age and size of what a job wrote, never for a job whose review is pending or can still be taken back; receipts stay.
 * Worktrees that an earlier clean-up could not remove are tried again, what is kept of rejected jobs goes after its time, and so do the
 * folders of jobs that were never stored.
 */
export async function collectGarbage(
  context: BridgeContext,
  options: { dryRun: boolean },
): Promise<GcReport> {
  const { retention, review } = context.loadConfig(null).config;
  const all = context.store.list();
  const jobs: { job: StoredJob; bytes: number }[] = [];
  for (const job of all) {
    const dir = jobDir(context.stateDir, job.record.id);
    if (existsSync(dir)) jobs.push({ job, bytes: await folderBytes(dir) });
  }
  const now = Date.now();
  const stray: { folder: string; bytes: number }[] = [];
  const known = new Set(all.map(({ record }) => record.id));
  for (const folder of strayJobFolders(context.stateDir, known, now))
    stray.push({ folder, bytes: await folderBytes(folder) });
  const kept: { jobId: string; why: string }[] = [];
  const old: { job: StoredJob; bytes: number }[] = [];
  let total = 0;
  // Newest first: the oldest are the first to go when there is too much.
  for (const each of jobs) {
    total += each.bytes;
    const why = whyKept(each.job, now, review.keep_rejected_days);
    if (why !== null) kept.push({ jobId: each.job.record.id, why });
    else if (ageMs(each.job, now) > retention.days * DAY_MS || total > retention.max_gb * GB)
      old.push(each);
  }
  const needsCleanUp: { jobId: string; what: string; why: string }[] = [];
  if (!options.dryRun) {
    needsCleanUp.push(...(await sweepTrees(context, all, review.keep_rejected_days)));
    for (const { job } of old) {
      rmSync(jobDir(context.stateDir, job.record.id), { recursive: true, force: true });
    }
    for (const { folder } of stray) rmSync(folder, { recursive: true, force: true });
  }
  return {
    removedJobs: old.map(({ job }) => job.record.id),
    freedBytes: [...old, ...stray].reduce((sum, { bytes }) => sum + bytes, 0),
    kept,
    needsCleanUp,
    disk: options.dryRun ? await diskUse(jobs) : [],
  };
}

async function diskUse(
  jobs: readonly { readonly job: StoredJob; readonly bytes: number }[],
): Promise<GcReport['disk']> {
  const disk: { jobId: string; bytes: number; treeBytes: number | null }[] = [];
  for (const { job, bytes } of jobs) {
    const { worktree, isolation } = job.record;
    const hasTree =
      isolation === 'worktree' && worktree?.kept === true && existsSync(worktree.root);
    const treeBytes = hasTree ? await folderBytes(worktree.root) : null;
    disk.push({ jobId: job.record.id, bytes, treeBytes });
  }
  const sizeOf = ({ bytes, treeBytes }: (typeof disk)[number]): number => bytes + (treeBytes ?? 0);
  return disk.sort((a, b) => sizeOf(b) - sizeOf(a));
}

function whyKept(job: StoredJob, now: number, keepRejectedDays: number): string | null {
  const { record } = job;
  if (!isFinal(record.status)) return `it is ${record.status}`;
  if (record.review.status === 'pending') return 'it waits for review';
  if (record.worktree?.kept === true && record.isolation === 'worktree')
    return 'its worktree is still there';
  // What a restore or an undo needs lies in the folder of the job too.
  const reviewedMs = record.review.at === null ? null : Date.parse(record.review.at);
  if (reviewedMs !== null && now - reviewedMs <= keepRejectedDays * DAY_MS)
    return `${record.review.status} can still be taken back`;
  return null;
}

function ageMs(job: StoredJob, now: number): number {
  return now - Date.parse(job.record.finishedAt ?? job.record.createdAt);
}

async function sweepTrees(
  context: BridgeContext,
  jobs: readonly StoredJob[],
  keepRejectedDays: number,
): Promise<{ jobId: string; what: string; why: string }[]> {
  const git = await context.git();
  const records: SweepRecord[] = [];
  for (const { record, spec } of jobs) {
    const { worktree } = record;
    const isReviewed = record.review.status === 'accepted' || record.review.status === 'rejected';
    if (worktree === null || record.isolation === 'none' || !isReviewed || spec.repoRoot === null)
      continue;
    if (isTreeWanted(context, worktree.id)) continue;
    const repository = await tryFindRepository(git, spec.repoRoot).catch(() => null);
    if (repository === null) continue;
    records.push({
      jobId: worktree.id,
      jobDir: jobDir(context.stateDir, worktree.id),
      commonDir: repository.commonDir,
      root: worktree.root,
      branch: (await hasCommits(git, repository.repoRoot, worktree)) ? null : worktree.branch,
      reviewedAt: new Date(record.review.at ?? record.createdAt),
    });
  }
  const results = await sweep(records, {
    git,
    stateDir: context.stateDir,
    keepRejectedDays,
    now: new Date(),
  });
  return results.flatMap((result) =>
    result.left.map(({ what, why }) => ({ jobId: result.jobId, what, why })),
  );
}

/** A resumed job works on in the tree of an earlier one; an accept that made a commit leaves its tree where it is. */
function isTreeWanted(context: BridgeContext, worktreeId: string): boolean {
  return context.store
    .withWorktree(worktreeId)
    .some(({ record }) => record.worktree?.kept === true || !isFinal(record.status));
}

/** Whether the branch of a job holds more than the commit it began at: then it is work that only the branch keeps. */
async function hasCommits(git: Git, cwd: string, worktree: WorktreeRecord): Promise<boolean> {
  if (worktree.branch === null) return false;
  const ref = `refs/heads/${worktree.branch}^{commit}`;
  const tip = await git.run(['rev-parse', '--verify', '--quiet', ref], {
    cwd,
    readOnly: true,
    okCodes: [0, 1],
  });
  return tip.code === 0 && tip.stdout.toString().trim() !== worktree.base;
}
