import { execFileSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  acceptChanges,
  type AcceptOptions,
} from '../../../../src/bridge/worktrees/acceptChanges.ts';
import type { AcceptResult } from '../../../../src/bridge/worktrees/acceptTypes.ts';
import { GitRunner } from '../../../../src/bridge/worktrees/gitRunner.ts';
import { undoAccept } from '../../../../src/bridge/worktrees/undoAccept.ts';
import type { ChangedFile } from '../../../../src/protocol/job.ts';

/** Contents by path: text, bytes, a link, or a file with permission bits. */
export type Tree = Record<
  string,
  string | Buffer | { link: string } | { content: string | Buffer; perm: number }
>;

export const JOB = 'job-1';

/**
 * A user's checkout and the worktree of one finished job, side by side in a scratch folder: enough to accept, undo, reject.
 */
export class JobWorld {
  readonly dir: string;
  readonly repo: string;
  readonly root: string;
  readonly jobDir: string;
  readonly stateDir: string;
  readonly branch = `delegate/${JOB}`;
  readonly git: GitRunner;
  readonly env: Record<string, string>;
  base = '';

  private constructor(dir: string) {
    this.dir = dir;
    this.repo = join(dir, 'repo');
    this.root = join(dir, 'worktrees', JOB);
    this.stateDir = join(dir, 'state');
    this.jobDir = join(this.stateDir, 'jobs', JOB);
    this.env = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(dir, 'home'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'User',
      GIT_AUTHOR_EMAIL: 'user@example.com',
      GIT_COMMITTER_NAME: 'User',
      GIT_COMMITTER_EMAIL: 'user@example.com',
    };
    this.git = new GitRunner({
      env: { PATH: this.env['PATH'], HOME: this.env['HOME'], GIT_CONFIG_NOSYSTEM: '1' },
    });
  }

  /** `config` is set before the first file is added, so that line end settings hold from the start. */
  static async create(
    options: { files?: Tree; config?: Record<string, string> } = {},
  ): Promise<JobWorld> {
    const world = new JobWorld(await realpath(await mkdtemp(join(tmpdir(), 'delegate-review-'))));
    await mkdir(world.repo, { recursive: true });
    await mkdir(join(world.dir, 'home'), { recursive: true });
    await mkdir(world.jobDir, { recursive: true });
    world.run('init', '-q', '-b', 'main');
    for (const [name, value] of Object.entries(options.config ?? {}))
      world.run('config', name, value);
    await write(world.repo, options.files ?? { 'a.txt': 'one\ntwo\nthree\n' });
    world.run('add', '-A');
    world.run('commit', '-q', '--allow-empty', '-m', 'base');
    // A checkout made by git, so that the working files carry its line ends.
    world.run('rm', '-q', '-r', '--cached', '--ignore-unmatch', '.');
    world.run('reset', '-q', '--hard');
    world.base = world.run('rev-parse', 'HEAD');
    world.run('worktree', 'add', '-q', '--no-track', '-b', world.branch, world.root, world.base);
    return world;
  }

  async dispose(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }

  /** Plain git in the user's checkout. */
  run(...args: string[]): string {
    return this.runIn(this.repo, ...args);
  }

  runIn(cwd: string, ...args: string[]): string {
    return execFileSync('git', args, {
      cwd,
      env: this.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).replace(/\n$/, '');
  }

  async user(tree: Tree): Promise<void> {
    await write(this.repo, tree);
  }

  async job(tree: Tree): Promise<void> {
    await write(this.root, tree);
  }

  async read(path: string): Promise<string> {
    return await readFile(join(this.repo, path), 'latin1');
  }

  /** The job's changes, as a change list has them. */
  changes(): ChangedFile[] {
    const env = { ...this.env, GIT_INDEX_FILE: join(this.dir, 'changes-index') };
    const run = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: this.root,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    run('read-tree', this.base);
    run('add', '-A');
    const fields = run('diff', '--cached', '--raw', '--no-abbrev', '-M', '-z', this.base).split(
      '\0',
    );
    const files: ChangedFile[] = [];
    for (let at = 0; at + 1 < fields.length;) {
      const [oldMode = '', newMode = '', , , status = ''] = (fields[at++] ?? '')
        .slice(1)
        .split(' ');
      const isRename = status.startsWith('R');
      const oldPath = isRename ? (fields[at++] ?? '') : null;
      const path = fields[at++] ?? '';
      files.push({
        path,
        oldPath,
        change:
          newMode === '160000'
            ? 'submodule'
            : isRename
              ? 'renamed'
              : (CHANGES[status] ?? 'modified'),
        additions: null,
        deletions: null,
        binary: false,
        oldMode,
        newMode,
      });
    }
    return files;
  }

  options(overrides: Partial<AcceptOptions> = {}): AcceptOptions {
    return {
      git: this.git,
      stateDir: this.stateDir,
      repoRoot: this.repo,
      root: this.root,
      branch: this.branch,
      base: this.base,
      files: overrides.files ?? this.changes(),
      selection: 'all',
      jobDir: this.jobDir,
      jobId: JOB,
      dirtyPaths: [],
      skipConflicts: false,
      dryRun: false,
      how: 'working-tree',
      provenance: { by: 'person:cli', model: 'm', endpoint: 'e', job: JOB, gate: null },
      allowedRoot: this.repo,
      ...overrides,
    };
  }

  async accept(overrides: Partial<AcceptOptions> = {}): Promise<AcceptResult> {
    return await acceptChanges(this.options(overrides));
  }

  async undo(overrides: Partial<Parameters<typeof undoAccept>[0]> = {}) {
    return await undoAccept({
      git: this.git,
      stateDir: this.stateDir,
      repoRoot: this.repo,
      jobDir: this.jobDir,
      jobId: JOB,
      dirtyPaths: [],
      skipConflicts: false,
      ...overrides,
    });
  }

  /** Every file of the checkout (or another folder) with bytes and permission bits; git directories left out. */
  async state(folder = this.repo): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    const walk = async (directory: string, prefix: string) => {
      for (const name of (await readdir(directory)).sort()) {
        if (name === '.git') continue;
        const full = join(directory, name);
        const stat = await lstat(full);
        const path = prefix + name;
        if (stat.isDirectory()) await walk(full, `${path}/`);
        else if (stat.isSymbolicLink()) found[path] = `-> ${await readlink(full)}`;
        else found[path] = `${(stat.mode & 0o7777).toString(8)} ${await readFile(full, 'latin1')}`;
      }
    };
    await walk(folder, '');
    return found;
  }

  /** What an accept must leave alone: HEAD, index entries, stash, branches, config. */
  async untouchables(): Promise<Record<string, string>> {
    return {
      head: await readFile(join(this.repo, '.git/HEAD'), 'utf8'),
      index: this.run('ls-files', '--stage'),
      indexBytes: await readFile(join(this.repo, '.git/index'), 'base64'),
      refs: this.run('for-each-ref', 'refs/heads', 'refs/stash', 'refs/tags'),
      config: await readFile(join(this.repo, '.git/config'), 'utf8'),
    };
  }

  undoRefs(): string[] {
    return this.run('for-each-ref', '--format=%(refname)', 'refs/delegate/undo')
      .split('\n')
      .filter(Boolean);
  }
}

const CHANGES: Record<string, ChangedFile['change']> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  T: 'type',
};

async function write(folder: string, tree: Tree): Promise<void> {
  for (const [path, value] of Object.entries(tree)) {
    const full = join(folder, path);
    await mkdir(dirname(full), { recursive: true });
    await rm(full, { force: true });
    if (typeof value === 'string' || Buffer.isBuffer(value)) await writeFile(full, value);
    else if ('link' in value) await symlink(value.link, full);
    else {
      await writeFile(full, value.content);
      await chmod(full, value.perm);
    }
  }
}

/** Runs a test with a world of its own, removed afterwards. */
export async function withWorld(
  options: Parameters<typeof JobWorld.create>[0],
  work: (world: JobWorld) => Promise<void>,
): Promise<void> {
  const world = await JobWorld.create(options);
  try {
    await work(world);
  } finally {
    await world.dispose();
  }
}
