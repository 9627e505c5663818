import { BridgeError } from '../base/bridgeError.ts';
import type { JobRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { JobDiff } from './bridgeTypes.ts';
import { afterRefOf } from './jobs/jobRefs.ts';
import { DIFF, listChanges } from './worktrees/changeList.ts';
import { readPatch } from './worktrees/patch.ts';
import { WorktreeGit } from './worktrees/worktreeGit.ts';

/** The change list and a bounded patch of a job, as its tree is now. A failure is thrown, never an empty list. */
export async function diffJob(
  context: BridgeContext,
  job: JobRecord,
  options: { files: readonly string[] | null; maxBytes: number },
): Promise<JobDiff> {
  const tree = job.worktree;
  if (tree === null)
    return {
      jobId: job.id,
      base: null,
      files: job.filesChanged,
      patch: '',
      isPatchTruncated: false,
    };
  const base = { jobId: job.id, base: tree.base };
  if (job.isolation === 'none') return diffInPlace(context, job, tree.root, options.maxBytes);
  if (!tree.kept) return { ...base, files: job.filesChanged, patch: '', isPatchTruncated: false };
  const against = {
    git: new WorktreeGit(await context.git(), tree.root),
    root: tree.root,
    base: tree.base,
  };
  const files = await listChanges(against);
  const wanted = options.files;
  const chosen = wanted === null ? files : files.filter((file) => wanted.includes(file.path));
  if (wanted !== null && chosen.length < wanted.length) {
    const unknown = wanted.filter((path) => !files.some((file) => file.path === path));
    throw new BridgeError('bad_argument', `The job did not change ${unknown.join(', ')}.`, {
      hint: 'See the change list of the job.',
    });
  }
  const { patch, truncated } = await readPatch({
    ...against,
    ...(wanted === null ? {} : { files: chosen }),
    maxBytes: options.maxBytes,
  });
  return { ...base, files: chosen, patch: patch.toString('utf8'), isPatchTruncated: truncated };
}

/** A job in the checkout: between the state before and the state after, whatever the user did since. */
async function diffInPlace(
  context: BridgeContext,
  job: JobRecord,
  root: string,
  maxBytes: number,
): Promise<JobDiff> {
  const git = await context.git();
  const base = job.worktree?.base ?? '';
  const { stdout, truncated } = await git.run(
    [
      ...DIFF.filter((argument) => argument !== '--cached'),
      '--binary',
      '--full-index',
      base,
      afterRefOf(job.id),
    ],
    { cwd: root, readOnly: true, maxBytes, onLimit: 'cut' },
  );
  return {
    jobId: job.id,
    base,
    files: job.filesChanged,
    patch: stdout.toString('utf8'),
    isPatchTruncated: truncated,
  };
}
