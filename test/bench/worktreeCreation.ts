import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { cleanUpWorktree } from '../../src/bridge/worktrees/cleanUp.ts';
import { createWorktree } from '../../src/bridge/worktrees/createWorktree.ts';
import { tempRepo } from '../support/tempRepo.ts';
import type { Figure } from './figure.ts';

const FILES = 20_000;
const FILES_PER_FOLDER = 100;

/**
 * Making the worktree of a job (checks, lock, marker, branch, base ref, checkout, includes, guard of hooks and config) beside plain
 * `git worktree add` with a new branch, on a repository of 20 000 small files in 200 folders, packed. In turn, each removed again before
 * the next; a first run of each is not counted, so that the file system's cache is warm for both.
 */
export async function worktreeCreation(runs: number): Promise<Figure[]> {
  const repo = tempRepo();
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: repo.root,
    env: repo.env,
    input: firstCommit(),
  });
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    for (let run = -1; run < runs; run += 1) {
      const ourMs = await created(repo, `bench-${run + 1}`);
      const bareMs = added(repo, `bare-${run + 1}`);
      if (run < 0) continue;
      ours.push(ourMs);
      bare.push(bareMs);
    }
  } finally {
    repo.dispose();
  }
  return [
    {
      name: 'worktree of a job, 20 000 files',
      unit: 'ms',
      ours,
      beside: { what: 'git worktree add', values: bare },
    },
  ];
}

/** As a stream for `git fast-import`: to write, hash and add 20 000 files would take longer than the bench itself. */
function firstCommit(): string {
  const files = Array.from({ length: FILES }, (_, n) => {
    const content = `file ${n}\n`.repeat(20);
    const path = `folder${Math.floor(n / FILES_PER_FOLDER)}/file${n}.txt`;
    return `M 100644 inline ${path}\ndata ${content.length}\n${content}\n`;
  });
  const head =
    'commit refs/heads/main\ncommitter A <a@example.com> 1767225600 +0000\ndata 5\nfirst\n';
  return `${head}${files.join('')}`;
}

type Repo = ReturnType<typeof tempRepo>;

async function created(repo: Repo, jobId: string): Promise<number> {
  const { runner: git, stateDir } = repo;
  const startedMs = performance.now();
  const { root, branch, commonDir } = await createWorktree({
    git,
    cwd: repo.root,
    jobId,
    baseDir: repo.baseDir,
    include: 'auto',
    submodules: 'auto',
    from: 'head',
    stateDir,
  });
  const tookMs = performance.now() - startedMs;
  await cleanUpWorktree({ git, commonDir, root, branch, stateDir });
  return tookMs;
}

function added(repo: Repo, name: string): number {
  const root = join(repo.scratch, name);
  const startedMs = performance.now();
  repo.git('worktree', 'add', '--quiet', '-b', name, root, 'HEAD');
  const tookMs = performance.now() - startedMs;
  repo.git('worktree', 'remove', '--force', root);
  repo.git('branch', '--quiet', '-D', name);
  return tookMs;
}
