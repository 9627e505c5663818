import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord, WorktreeRecord } from '../../protocol/job.ts';
import { MAX_REVIEW_FILE_BYTES } from '../../protocol/ui/maxReviewFileBytes.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { afterRefOf } from '../jobs/jobRefs.ts';
import { isFinal } from '../jobs/status.ts';
import { baseContent } from '../worktrees/baseContent.ts';
import { openInTree, outside } from '../worktrees/openInTree.ts';
import { rejectedRef } from '../worktrees/rejectNote.ts';
import { isSafePath } from '../worktrees/safePath.ts';
import { assertWorktree } from '../worktrees/worktreeGit.ts';
import { repoRootOf, stillRunning } from './reviewRules.ts';

export interface ReviewFile {
  readonly exists: boolean;
  /** Null when it does not exist or only facts were asked for. */
  readonly content: Buffer | null;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Its content is the target. */
  readonly isLink: boolean;
  /** As git writes modes. */
  readonly mode: string | null;
}

export interface ReviewFileOptions {
  /** Relative to the top of the repository. */
  readonly path: string;
  readonly side: 'base' | 'job';
  readonly isStatOnly: boolean;
}

/**
 * One side of a changed file. The job's side is the file in its worktree; when that is gone, or the job worked in the checkout itself,
 * what was kept of it: what the user did since is not the job's.
 */
export async function reviewFile(
  context: BridgeContext,
  job: JobRecord,
  options: ReviewFileOptions,
): Promise<ReviewFile> {
  const { path, side } = options;
  if (!isSafePath(path)) throw outside(path);
  if (!isFinal(job.status)) throw stillRunning(job);
  const tree = job.worktree;
  if (tree === null) {
    throw new BridgeError('worktree_gone', `The job ${job.id} left nothing that could be shown.`, {
      hint: 'Look at its transcript.',
    });
  }
  if (side === 'base') return fromCommit(context, job, tree.base, options);
  if (job.isolation === 'worktree' && tree.kept) {
    await assertWorktree(await context.git(), tree.root);
    return fromTree(tree.root, options);
  }
  const isIgnored = job.filesChanged.some(
    (file) => file.path === path && file.change === 'ignored',
  );
  // Snapshots hold nothing that git ignores.
  if (job.isolation === 'none' && isIgnored) return fromTree(tree.root, options);
  return fromCommit(context, job, await keptState(context, job, tree), options);
}

async function fromTree(
  root: string,
  { path, isStatOnly }: ReviewFileOptions,
): Promise<ReviewFile> {
  const found = await openInTree(root, path);
  if (found.kind === 'absent') return ABSENT;
  if (found.kind === 'link') {
    const { target, mtimeMs } = found;
    return {
      exists: true,
      content: isStatOnly ? null : target,
      sizeBytes: target.length,
      mtimeMs,
      isLink: true,
      mode: '120000',
    };
  }
  const { file, sizeBytes, mtimeMs, mode } = found;
  try {
    if (!isStatOnly) assertSize(path, sizeBytes);
    const content = isStatOnly ? null : await file.readFile();
    return {
      exists: true,
      content,
      sizeBytes: content?.length ?? sizeBytes,
      mtimeMs,
      isLink: false,
      mode: (mode & 0o100) === 0 ? '100644' : '100755',
    };
  } finally {
    await file.close();
  }
}

async function fromCommit(
  context: BridgeContext,
  job: JobRecord,
  commit: string,
  { path, isStatOnly }: ReviewFileOptions,
): Promise<ReviewFile> {
  const repoRoot = repoRootOf(context, job.id);
  const file = await baseContent(await context.git(), {
    repoRoot,
    base: commit,
    path,
    maxBytes: MAX_REVIEW_FILE_BYTES,
  });
  if (file === null) return ABSENT;
  return {
    exists: true,
    content: isStatOnly ? null : file.content,
    sizeBytes: file.content.length,
    mtimeMs: Date.parse(job.startedAt ?? job.createdAt),
    isLink: file.mode === '120000',
    mode: file.mode,
  };
}

/** The commit in which the result of a job is kept that has no worktree of its own any more, or never had one. */
async function keptState(
  context: BridgeContext,
  job: JobRecord,
  tree: WorktreeRecord,
): Promise<string> {
  const ref = job.isolation === 'none' ? afterRefOf(job.id) : rejectedRef(tree.id);
  const { stdout, code } = await (
    await context.git()
  ).run(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
    cwd: repoRootOf(context, job.id),
    readOnly: true,
    okCodes: [0, 1],
  });
  if (code === 0) return stdout.toString('utf8').trim();
  throw new BridgeError(
    'worktree_gone',
    `The files of the job ${job.id} are not kept any more${tree.note === null ? '' : ` (${tree.note})`}.`,
    { hint: 'The list of files is on its receipt.' },
  );
}

/** @throws BridgeError `not_supported` for more than an editor opens */
export function assertSize(path: string, sizeBytes: number): void {
  if (sizeBytes <= MAX_REVIEW_FILE_BYTES) return;
  const megabytes = Math.round(sizeBytes / 1024 / 1024);
  throw new BridgeError('not_supported', `${path} has ${megabytes} MB and is too large to show.`, {
    hint: `Files of up to ${MAX_REVIEW_FILE_BYTES / 1024 / 1024} MB are shown; it can be accepted or rejected all the same.`,
  });
}

const ABSENT: ReviewFile = {
  exists: false,
  content: null,
  sizeBytes: 0,
  mtimeMs: 0,
  isLink: false,
  mode: null,
};
