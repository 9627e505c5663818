import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { GitRunner } from '../../src/bridge/worktrees/gitRunner.ts';

export type Content = string | Buffer | { readonly link: string } | { readonly executable: string };

export interface TempRepoOptions {
  /** Files of the first commit; without `files` and `commits` the repository stays without a commit. */
  readonly files?: Readonly<Record<string, Content>>;
  /** Further commits: files to write, null = delete. */
  readonly commits?: readonly Readonly<Record<string, Content | null>>[];
  /** Written to the repository's config before the first commit. */
  readonly config?: Readonly<Record<string, string>>;
  readonly branch?: string;
  /** Name of the checkout's folder. */
  readonly name?: string;
  readonly lfsMissing?: boolean;
}

export type TempRepo = ReturnType<typeof tempRepo>;

/** Where a repository of `tempRepo` lies; a second process opens it with these. */
export interface RepoPlace {
  readonly scratch: string;
  readonly root: string;
  readonly home: string;
  readonly stateDir: string;
  /** Environment of the user's git; for child processes of a test too. */
  readonly env: Record<string, string>;
  readonly lfsMissing: boolean;
}

/**
 * A real repository in a scratch folder with a home of its own, so that no setting of the machine's user counts.
 * `scratch` holds everything (also the state dir and the worktrees) and goes with `dispose()`.
 */
export function tempRepo(options: TempRepoOptions = {}) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'delegate-test-')));
  const root = join(scratch, options.name ?? 'project');
  const home = join(scratch, 'home');
  const stateDir = join(scratch, 'state');
  mkdirSync(root);
  mkdirSync(home);
  mkdirSync(stateDir);
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C.UTF-8',
  };
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = Test User\n\temail = test@example.com\n[protocol "file"]\n\tallow = always\n',
  );

  const repo = openTempRepo({
    scratch,
    root,
    home,
    stateDir,
    env,
    lfsMissing: options.lfsMissing ?? false,
  });
  repo.git('init', '--quiet', `--initial-branch=${options.branch ?? 'main'}`);
  for (const [key, value] of Object.entries(options.config ?? {})) repo.git('config', key, value);
  if (options.files) repo.commit(options.files, 'first');
  for (const files of options.commits ?? []) repo.commit(files);
  return repo;
}

/** The same handle on a repository that `tempRepo` has made, in whatever process. */
export function openTempRepo(place: RepoPlace) {
  const { scratch, root, home, stateDir, env } = place;
  const gitIn = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const git = (...args: string[]): string => gitIn(root, ...args);
  const path = (...parts: string[]): string => join(root, ...parts);
  const writeAt = (file: string, content: Content): void => {
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'object' && 'link' in content) {
      rmSync(file, { force: true });
      symlinkSync(content.link, file);
    } else if (typeof content === 'object' && 'executable' in content) {
      writeFileSync(file, content.executable);
      chmodSync(file, 0o755);
    } else {
      writeFileSync(file, content);
    }
  };
  const write = (name: string, content: Content): void => writeAt(path(name), content);
  const commit = (
    files: Readonly<Record<string, Content | null>> = {},
    message = 'commit',
  ): string => {
    for (const [name, content] of Object.entries(files)) {
      if (content === null) rmSync(path(name), { recursive: true });
      else write(name, content);
    }
    git('add', '-A');
    git('commit', '--quiet', '--allow-empty', '-m', message);
    return git('rev-parse', 'HEAD').trim();
  };

  return {
    place,
    scratch,
    root,
    home,
    stateDir,
    /** Base folder for worktrees. */
    baseDir: join(stateDir, 'worktrees'),
    env,
    /** The bridge's own runner in this environment. */
    runner: new GitRunner({ env, lfsMissing: place.lfsMissing }),
    git,
    gitIn,
    path,
    write,
    writeAt,
    commit,
    read: (name: string): string => readFileSync(path(name), 'utf8'),
    head: (): string => git('rev-parse', 'HEAD').trim(),
    fingerprint: (): RepoFingerprint => fingerprint(root, gitIn),
    dispose: (): void => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** What a job may not change in the user's repository. Compare two with `assert.deepEqual` to see which part differs. */
export interface RepoFingerprint {
  readonly head: string;
  readonly index: string;
  readonly files: string;
  readonly stash: string;
  readonly config: string;
  readonly hooks: string;
  readonly info: string;
  /** All refs but `refs/delegate/**` and branches `delegate/*`. */
  readonly refs: string;
}

function fingerprint(
  root: string,
  gitIn: (cwd: string, ...args: string[]) => string,
): RepoFingerprint {
  const gitDir = gitIn(root, 'rev-parse', '--absolute-git-dir').trim();
  const commonDir = gitIn(root, 'rev-parse', '--path-format=absolute', '--git-common-dir').trim();
  const refs = gitIn(root, 'for-each-ref', '--format=%(refname) %(objectname) %(symref)')
    .split('\n')
    .filter((line) => line !== '' && !/^refs\/(delegate|heads\/delegate)\//.test(line));
  return {
    head: readFileSync(join(gitDir, 'HEAD'), 'utf8'),
    index: hashOf(join(gitDir, 'index')),
    files: hashTree(root, (path) => path === '.git'),
    stash: hashOf(join(commonDir, 'logs/refs/stash')),
    config: `${hashOf(join(commonDir, 'config'))} ${hashOf(join(gitDir, 'config.worktree'))}`,
    hooks: hashTree(join(commonDir, 'hooks')),
    info: hashTree(join(commonDir, 'info')),
    refs: refs.join('\n'),
  };
}

function hashOf(file: string): string {
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'none';
}

/** Hash over names, modes, link targets and bytes of everything below a folder. */
export function hashTree(
  folder: string,
  isLeftOut: (path: string) => boolean = () => false,
): string {
  const hash = createHash('sha256');
  const visit = (current: string): void => {
    for (const name of readdirSync(current).sort()) {
      const full = join(current, name);
      const path = relative(folder, full);
      if (isLeftOut(path)) continue;
      const stat = lstatSync(full);
      hash.update(`${path}\0${stat.mode}\0`);
      if (stat.isSymbolicLink()) hash.update(readlinkSync(full));
      else if (stat.isDirectory()) visit(full);
      else if (stat.isFile()) hash.update(readFileSync(full));
    }
  };
  if (existsSync(folder)) visit(folder);
  return hash.digest('hex');
}
