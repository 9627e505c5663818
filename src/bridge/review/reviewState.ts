import { BridgeError } from '../../base/bridgeError.ts';
import type { ChangedFile, GateResult, JobRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { isFinal } from '../jobs/status.ts';
import { listChanges } from '../worktrees/changeList.ts';
import { WorktreeGit } from '../worktrees/worktreeGit.ts';
import { presentCoverage } from './presentCoverage.ts';
import { reviewableTree } from './reviewRules.ts';

interface ReviewedFile extends ChangedFile {
  readonly decision: 'open' | 'taken' | 'dropped';
}

export interface ReviewState {
  readonly base: string | null;
  readonly repoRoot: string | null;
  /** Top of the worktree, or of the checkout for a job without isolation; null when it is gone. */
  readonly root: string | null;
  readonly files: readonly ReviewedFile[];
  readonly gateCovers: GateResult['covers'] | null;
  /** Why there is nothing to decide; null when there is. */
  readonly note: string | null;
}

/** What there is to decide about a job: read from its worktree as it is now; of a job without one, as the receipt has it. */
export async function reviewState(context: BridgeContext, job: JobRecord): Promise<ReviewState> {
  const tree = job.worktree;
  const isThere = tree !== null && (tree.kept || job.isolation === 'none');
  const isRead = isThere && job.isolation === 'worktree' && isFinal(job.status);
  const state = {
    base: tree?.base ?? null,
    repoRoot: context.store.find(job.id)?.spec.repoRoot ?? null,
    root: isThere ? tree.root : null,
  };
  try {
    const files = isRead
      ? await listChanges({
          git: new WorktreeGit(await context.git(), tree.root),
          root: tree.root,
          base: tree.base,
        })
      : job.filesChanged;
    return {
      ...state,
      files: files.map((file) => ({ ...file, decision: decisionOf(job, file) })),
      gateCovers: await coverageOf(context, job, isRead),
      note: noteOf(job),
    };
  } catch (error) {
    if (!BridgeError.is(error, 'worktree_gone')) throw error;
    return {
      ...state,
      root: null,
      files: job.filesChanged.map((file) => ({ ...file, decision: decisionOf(job, file) })),
      gateCovers: coveredBefore(job),
      note: error.message,
    };
  }
}

function decisionOf({ review }: JobRecord, { path }: ChangedFile): ReviewedFile['decision'] {
  if (review.files.includes(path)) return 'taken';
  if (review.dropped.includes(path) || review.status === 'rejected') return 'dropped';
  return review.status === 'accepted' ? 'taken' : 'open';
}

async function coverageOf(
  context: BridgeContext,
  job: JobRecord,
  isRead: boolean,
): Promise<GateResult['covers'] | null> {
  const before = coveredBefore(job);
  if (before === null || before === 'merged' || !isRead || job.worktree === null) return before;
  return presentCoverage(context, job, job.worktree);
}

function coveredBefore({ gate }: JobRecord): GateResult['covers'] | null {
  return gate === null || gate.status === 'none' ? null : gate.covers;
}

function noteOf(job: JobRecord): string | null {
  try {
    reviewableTree(job);
  } catch (error) {
    return BridgeError.from(error).message;
  }
  if (job.review.status === 'pending' || job.review.status === 'partly') return null;
  if (job.review.status === 'none') return 'The job has no changes to review.';
  return `The job was ${job.review.status} by ${job.review.by ?? 'somebody'}.`;
}
