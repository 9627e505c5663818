import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord, WorktreeRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import type { AcceptOptions, Caller } from '../bridgeTypes.ts';
import { jobDir } from '../jobs/jobPaths.ts';
import { isFinal } from '../jobs/status.ts';

/** A window that has not spoken for this long is taken for closed. */
export const DIRTY_PATHS_LIFETIME_MS = 10 * 60 * 1000;

/** The word of a review: `person:vscode`, `person:cli` or `agent:<client>`. */
export function reviewerOf(caller: Caller): string {
  return `${caller.kind}:${caller.name}`;
}

/** Who may take what: a model nothing that a person has to look at, nobody a red gate without saying so. */
export function assertMayAccept(
  job: JobRecord,
  caller: Caller,
  options: AcceptOptions,
  guardedPaths: readonly string[],
): void {
  if (caller.kind === 'agent' && guardedPaths.length > 0) {
    throw new BridgeError(
      'review_required',
      `A person has to accept these files: ${guardedPaths.join(', ')}.`,
      {
        hint: 'Ask the user to review the job; they are named under review.required_for.',
        details: { files: guardedPaths },
      },
    );
  }
  const isGateOpen = job.gate === null || job.gate.status === 'passed';
  if (isGateOpen && job.status === 'done') return;
  if (options.isGateFailureAccepted === true && caller.kind === 'person') return;
  if (options.dryRun === true) return;
  const why = isGateOpen
    ? `ended as ${job.status}`
    : `has a gate that ${job.gate?.status === 'tampered' ? 'was tampered with' : 'did not pass'} (${job.gate?.name})`;
  throw new BridgeError('review_required', `The job ${why}.`, {
    hint: `A person may accept it all the same, after a look at the changes: delegate accept ${job.id} --force`,
  });
}

/** The tree of a finished job that can be reviewed. */
export function reviewableTree(job: JobRecord): WorktreeRecord {
  if (!isFinal(job.status)) throw stillRunning(job);
  if (job.worktree === null || (!job.worktree.kept && job.isolation === 'worktree')) {
    throw nothingToReview(job);
  }
  return job.worktree;
}

function nothingToReview(job: JobRecord): BridgeError {
  const { id, review, worktree } = job;
  if (review.status === 'accepted')
    return new BridgeError(
      'nothing_to_accept',
      `The job ${id} was accepted already, by ${review.by ?? 'somebody'}.`,
      {
        hint: `To take it back: delegate undo ${id}`,
      },
    );
  if (review.status === 'rejected')
    return new BridgeError(
      'nothing_to_accept',
      `The job ${id} was rejected by ${review.by ?? 'somebody'}.`,
      {
        hint: `Restore it first: delegate restore ${id}`,
      },
    );
  const isUnknown = worktree === null && job.isolation === 'none' && job.startedAt !== null;
  return new BridgeError(
    'nothing_to_accept',
    isUnknown
      ? `What the job ${id} changed is not known: its folder is not in a git repository.`
      : `The job ${id} has no changes to review.`,
    {
      hint: isUnknown
        ? 'Look at its transcript: what it did is in the folder already.'
        : (worktree?.note ?? ''),
    },
  );
}

/** What is decided stays as it is until somebody takes that back. */
export function assertOpen(job: JobRecord): void {
  const { status } = job.review;
  if (status === 'pending' || status === 'partly') return;
  throw new BridgeError(
    'wrong_state',
    status === 'none'
      ? `The job ${job.id} has nothing to review.`
      : `The job ${job.id} is ${status} already.`,
    {
      hint: status === 'accepted' ? `To take it back: delegate undo ${job.id}` : '',
    },
  );
}

export function assertUnused(context: BridgeContext, job: JobRecord, tree: WorktreeRecord): void {
  const user = context.store
    .withWorktree(tree.id)
    .find((other) => other.record.id !== job.id && !isFinal(other.record.status));
  if (user === undefined) return;
  throw new BridgeError(
    'wrong_state',
    `The job ${user.record.id} works in the same worktree and is ${user.record.status}.`,
    {
      hint: 'Wait for it, or cancel it.',
    },
  );
}

export function repoRootOf(context: BridgeContext, jobId: string): string {
  const root = context.store.find(jobId)?.spec.repoRoot ?? null;
  if (root === null)
    throw new BridgeError('not_a_repository', 'The job did not work in a git repository.');
  return root;
}

export async function placeOf(context: BridgeContext, job: JobRecord) {
  return {
    git: await context.git(),
    stateDir: context.stateDir,
    repoRoot: repoRootOf(context, job.id),
    // What is kept of a tree lies with the job that it was made for, whichever of the jobs in it is reviewed.
    jobDir: jobDir(context.stateDir, job.worktree?.id ?? job.id),
  };
}

export function treeOf(tree: WorktreeRecord) {
  return { root: tree.root, branch: tree.branch ?? '', base: tree.base, jobId: tree.id };
}

export function stillRunning(job: JobRecord): BridgeError {
  return new BridgeError('wrong_state', `The job ${job.id} is still ${job.status}.`, {
    hint: 'Wait for its end, or cancel it.',
  });
}
