import { mkdir, realpath, readdir, rm, writeFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { withStagedTree } from './changeList.ts';
import { cleanUpLocked, type CleanUpResult } from './cleanUp.ts';
import { isThere } from './cleanUpDirectory.ts';
import { refExists } from './cleanUpState.ts';
import { BRIDGE_IDENTITY } from './gitEnv.ts';
import type { Git } from './gitRunner.ts';
import { isSameState, objectFormatOf, readPresent } from './journalState.ts';
import { withTempIndex } from './mergeSides.ts';
import { keepCopies, type KeepLimits, type KeptCopies } from './rejectKeep.ts';
import { notePath, rejectedDir, rejectedRef, type RejectNote } from './rejectNote.ts';
import { findRepository } from './repository.ts';
import { withRepositoryLock } from './repositoryLock.ts';
import { DURABLE, storeBlob } from './undoRefs.ts';
import { assertWorktree } from './worktreeGit.ts';
import { readMarker } from './worktreeMarker.ts';

/** Of ignored output and nested repositories, per job. */
const KEEP_LIMITS: KeepLimits = { maxBytes: 64 * 1024 * 1024, maxFiles: 20_000 };

export interface RejectOptions {
  readonly git: Git;
  readonly stateDir: string;
  readonly repoRoot: string;
  readonly root: string;
  readonly branch: string;
  readonly base: string;
  readonly jobDir: string;
  readonly jobId: string;
  readonly limits?: KeepLimits | undefined;
  /**
   * What to do about ignored output and nested repositories that are too large to keep: `refuse` leaves everything as it
   * is and lists them, so that a person can be asked; `drop` lists and loses them.
   */
  readonly tooLarge: 'refuse' | 'drop';
  readonly signal?: AbortSignal | undefined;
}

export interface RejectResult {
  readonly status: 'rejected' | 'refused';
  /** The commit that keeps the job's files; null when there was no worktree any more. */
  readonly ref: string | null;
  readonly copied: string[];
  readonly tooLarge: KeptCopies['tooLarge'];
  readonly cleanUp: CleanUpResult;
}

/**
 * Takes a job's result away so that it can be had again: its files go to `refs/delegate/rejected/<job>`, ignored output and
 * nested repositories to the job folder, and only then directory, registration and branch are removed.
 */
export async function rejectJob(options: RejectOptions): Promise<RejectResult> {
  const { git, root, jobDir, jobId, signal, stateDir } = options;
  const { commonDir } = await findRepository(git, options.repoRoot, signal);
  return await withRepositoryLock({ stateDir, commonDir, signal }, async () => {
    const ref = rejectedRef(jobId);
    let kept: KeptCopies = { copied: [], tooLarge: [] };
    if (await isWorktree(git, root)) {
      kept = await keep(options, ref);
    } else if (await isThere(root)) {
      // No repository any more, but files: they are kept as they lie there.
      kept = await keepLoose(options);
    }
    const isKept = await refExists(git, commonDir, ref);
    if (kept.tooLarge.length > 0 && options.tooLarge === 'refuse') {
      await rm(rejectedDir(jobDir), { recursive: true, force: true });
      if (isKept) await git.run(['update-ref', '-d', ref], { cwd: commonDir });
      return { status: 'refused', ref: null, ...kept, cleanUp: { removed: [], left: [] } };
    }
    const cleanUp = await cleanUpLocked({ git, commonDir, root, branch: options.branch });
    return { status: 'rejected', ref: isKept ? ref : null, ...kept, cleanUp };
  });
}

async function keep(options: RejectOptions, ref: string): Promise<KeptCopies> {
  const { git, root, base, jobDir, signal } = options;
  return await withStagedTree(
    { git, root, base, signal },
    'repository',
    async ({ index, nested, ignored }) => {
      const diff = await index.run(
        ['diff', '--cached', '--name-only', '--no-renames', '-z', base],
        { readOnly: true },
      );
      const paths = diff.stdout
        .toString('utf8')
        .split('\0')
        .filter((path) => path !== '');
      const tree = (await index.run([...DURABLE, 'write-tree'])).stdout.toString('utf8').trim();
      const head = await git.text(['rev-parse', '--verify', 'HEAD^{commit}'], {
        cwd: root,
        readOnly: true,
      });
      const tip = await branchTip(options, head);
      const files = await rawFiles(options, paths);
      const raw = await commitRaw(options, files);
      const parents = [...new Set([head, tip, raw])].flatMap((parent) => ['-p', parent]);
      const commit = await git.text([...DURABLE, 'commit-tree', tree, ...parents], {
        cwd: root,
        env: BRIDGE_IDENTITY,
        input: `Rejected result of job ${options.jobId}\n`,
      });
      const target = join(jobDir, 'rejected.part');
      await rm(target, { recursive: true, force: true });
      await mkdir(join(target, 'files'), { recursive: true, mode: 0o700 });
      const { again, lone } = await splitIncluded(options);
      const kept = await keepCopies({
        root,
        target: join(target, 'files'),
        paths: [...new Set([...nested, ...ignored, ...lone])],
        limits: options.limits ?? KEEP_LIMITS,
      });
      const note: RejectNote = {
        v: 1,
        root,
        branch: options.branch,
        base,
        tip,
        head,
        files,
        copied: kept.copied,
        included: again,
      };
      await writeFile(join(target, 'note.json'), JSON.stringify(note), { mode: 0o600 });
      await rm(rejectedDir(jobDir), { recursive: true, force: true });
      await rename(target, rejectedDir(jobDir));
      // Last: a ref without its note would promise a restore that cannot be had.
      await git.run([...DURABLE, 'update-ref', ref, commit], { cwd: root });
      return kept;
    },
  );
}

async function keepLoose(options: RejectOptions): Promise<KeptCopies> {
  const { root, jobDir } = options;
  // A note is there when an earlier call has kept the job and was cut short while removing it.
  if (await isThere(notePath(jobDir))) return { copied: [], tooLarge: [] };
  const target = join(rejectedDir(jobDir), 'files');
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true, mode: 0o700 });
  return await keepCopies({
    root,
    target,
    paths: await readdir(root),
    limits: options.limits ?? KEEP_LIMITS,
  });
}

/**
 * Files that were copied in at the start (keys, usually). What the user's checkout still has the same is not copied a second
 * time into the job folder (`again`: taken from there on a restore); what only the worktree has is kept (`lone`).
 */
async function splitIncluded(options: RejectOptions): Promise<{ again: string[]; lone: string[] }> {
  const marker = await readMarker(options.root);
  const again: string[] = [];
  const lone: string[] = [];
  for (const { path } of marker?.included ?? []) {
    const format = objectFormatOf(options.base);
    const [here, there] = await Promise.all([
      readPresent(options.root, path, { format }),
      readPresent(options.repoRoot, path, { format }),
    ]);
    // A folder is set-up output: it is made again, not kept.
    if (here.kind === 'directory') again.push(path);
    if (here.kind !== 'file') continue;
    (isSameState(there, here.state) ? again : lone).push(path);
  }
  return { again, lone };
}

async function rawFiles(
  options: RejectOptions,
  paths: readonly string[],
): Promise<RejectNote['files']> {
  const { git, root, base, signal } = options;
  const files: RejectNote['files'] = [];
  for (const path of paths) {
    signal?.throwIfAborted();
    const present = await readPresent(root, path, { format: objectFormatOf(base) });
    if (present.kind !== 'file') continue;
    files.push({ path, ...present.state, oid: await storeBlob(git, root, present.bytes) });
  }
  return files;
}

/** A commit of raw bytes alone, so that they live as long as the ref. */
async function commitRaw(options: RejectOptions, files: RejectNote['files']): Promise<string> {
  const { git, root } = options;
  const tree = await withTempIndex(join(options.jobDir, 'scratch'), async (env) => {
    const input = files.map(({ mode, oid, path }) => `${mode} ${oid}\t${path}\0`).join('');
    await git.run(['update-index', '-z', '--index-info'], { cwd: root, env, input });
    return await git.text([...DURABLE, 'write-tree'], { cwd: root, env });
  });
  return await git.text([...DURABLE, 'commit-tree', tree], {
    cwd: root,
    env: BRIDGE_IDENTITY,
    input: `Files of job ${options.jobId} as they lay on disk\n`,
  });
}

async function branchTip(options: RejectOptions, fallback: string): Promise<string> {
  const { git, root, branch } = options;
  const { stdout, code } = await git.run(
    ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`],
    {
      cwd: root,
      readOnly: true,
      okCodes: [0, 1, 128],
    },
  );
  return code === 0 ? stdout.toString('utf8').trim() : fallback;
}

async function isWorktree(git: Git, root: string): Promise<boolean> {
  try {
    await assertWorktree(git, await realpath(root));
    return true;
  } catch (error) {
    if (BridgeError.is(error, 'worktree_gone')) return false;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
