import { BridgeError } from '../base/bridgeError.ts';
import type { ChangedFile, JobRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { JobDiff } from './bridgeTypes.ts';
import { afterRefOf } from './jobs/jobRefs.ts';
import { isFinal } from './jobs/status.ts';
import { DIFF, listChanges } from './worktrees/changeList.ts';
import { readPatch } from './worktrees/patch.ts';
import { rejectedRef } from './worktrees/rejectNote.ts';
import { WorktreeGit } from './worktrees/worktreeGit.ts';

interface DiffOptions {
  readonly files: readonly string[] | null;
  readonly maxBytes: number;
}

/**
 * The change list and a bounded patch of a job: as its tree is now or, when the tree is gone, as it was kept. A failure is thrown,
 * never an empty list, and what is not known is said in `note`.
 */
export async function diffJob(
  context: BridgeContext,
  job: JobRecord,
  options: DiffOptions,
): Promise<JobDiff> {
  const tree = job.worktree;
  if (tree === null) return withoutPatch(job, options.files, noteWithoutTree(job));
  if (job.isolation === 'none')
    return diffRefs(context, job, tree.root, afterRefOf(job.id), options);
  if (!tree.kept) {
    const repoRoot = context.store.find(job.id)?.spec.repoRoot ?? null;
    return repoRoot === null
      ? withoutPatch(job, options.files, noteOfLostPatch(job))
      : diffRefs(context, job, repoRoot, rejectedRef(job.id), options);
  }
  const against = {
    git: new WorktreeGit(await context.git(), tree.root),
    root: tree.root,
    base: tree.base,
  };
  const chosen = choose(await listChanges(against), options.files);
  const { patch, truncated } = await readPatch({
    ...against,
    ...(options.files === null ? {} : { files: chosen }),
    maxBytes: options.maxBytes,
  });
  return {
    jobId: job.id,
    base: tree.base,
    files: chosen,
    patch: patch.toString('utf8'),
    isPatchTruncated: truncated,
    note: null,
  };
}

/** Between two states that the repository keeps, whatever the user did since. */
async function diffRefs(
  context: BridgeContext,
  job: JobRecord,
  cwd: string,
  after: string,
  options: DiffOptions,
): Promise<JobDiff> {
  const chosen = choose(job.filesChanged, options.files);
  const base = job.worktree?.base ?? '';
  const git = await context.git();
  const found = await git.run(['rev-parse', '--verify', '--quiet', `${after}^{commit}`], {
    cwd,
    readOnly: true,
    okCodes: [0, 1],
  });
  if (found.code !== 0 || chosen.length === 0) {
    return withoutPatch(job, options.files, chosen.length === 0 ? null : noteOfLostPatch(job));
  }
  const paths = chosen.flatMap((file) =>
    file.oldPath === null ? [file.path] : [file.oldPath, file.path],
  );
  const { stdout, truncated } = await git.run(
    [
      '--literal-pathspecs',
      ...DIFF.filter((argument) => argument !== '--cached'),
      '--binary',
      '--full-index',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      base,
      after,
      '--',
      ...paths,
    ],
    { cwd, readOnly: true, maxBytes: options.maxBytes, onLimit: 'cut' },
  );
  return {
    jobId: job.id,
    base,
    files: chosen,
    patch: stdout.toString('utf8'),
    isPatchTruncated: truncated,
    note: null,
  };
}

function choose(
  files: readonly ChangedFile[],
  wanted: readonly string[] | null,
): readonly ChangedFile[] {
  if (wanted === null) return files;
  const unknown = wanted.filter((path) => !files.some((file) => file.path === path));
  if (unknown.length > 0) {
    throw new BridgeError('bad_argument', `The job did not change ${unknown.join(', ')}.`, {
      hint: 'See the change list of the job.',
    });
  }
  return files.filter((file) => wanted.includes(file.path));
}

function withoutPatch(
  job: JobRecord,
  wanted: readonly string[] | null,
  note: string | null,
): JobDiff {
  return {
    jobId: job.id,
    base: job.worktree?.base ?? null,
    files: choose(job.filesChanged, wanted),
    patch: '',
    isPatchTruncated: false,
    note,
  };
}

/** Without a tree nobody could look: that is not the same as "nothing was changed". */
function noteWithoutTree(job: JobRecord): string | null {
  if (job.status === 'refused') return 'The job was refused and never ran.';
  if (!isFinal(job.status)) return `The job is ${job.status}: it has no tree yet.`;
  if (job.startedAt === null) return 'The job never started.';
  return job.isolation === 'none'
    ? 'What the job changed is not known: its folder is not in a git repository.'
    : 'The job ended before it had a tree to change.';
}

function noteOfLostPatch(job: JobRecord): string {
  if (!isFinal(job.status))
    return `The job is ${job.status}: its patch is there when it has ended.`;
  return `The patch is not there any more${job.worktree?.note ? ` (${job.worktree.note})` : ''}; the list is from the receipt.`;
}
