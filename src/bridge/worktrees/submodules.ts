import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { WorktreeGit } from './worktreeGit.ts';

/** `auto`: those whose commits are in the repository already, without network; true: the rest from their address too. */
export type SubmodulePolicy = 'auto' | 'none' | boolean;

const LOCAL_TIMEOUT_MS = 120_000;
const REMOTE_TIMEOUT_MS = 600_000;

interface Submodule {
  readonly path: string;
  readonly name: string;
  readonly url: string | null;
  readonly commit: string;
}

/**
 * Checks out the submodules of a new worktree, one level deep. Returns warnings, one per submodule that stays empty: a
 * submodule that cannot be had never fails the job. Writes nothing to the shared configuration (no `submodule init`).
 */
export async function initSubmodules(options: {
  git: WorktreeGit;
  commonDir: string;
  policy: SubmodulePolicy;
  signal?: AbortSignal | undefined;
}): Promise<string[]> {
  const warnings: string[] = [];
  for (const submodule of await listSubmodules(options.git, options.signal)) {
    const why = await checkOut(submodule, options);
    if (why !== null) warnings.push(`Submodule ${submodule.path} is empty: ${why}.`);
  }
  return warnings;
}

async function checkOut(
  submodule: Submodule,
  options: {
    git: WorktreeGit;
    commonDir: string;
    policy: SubmodulePolicy;
    signal?: AbortSignal | undefined;
  },
): Promise<string | null> {
  if (options.policy === 'none' || options.policy === false) return 'worktrees.submodules says so';
  const modules = join(options.commonDir, 'modules');
  // A name such as `../x` would lead out of the folder; git refuses it too, in its newer releases.
  if (submodule.name.split('/').includes('..')) return 'its name is not allowed';
  const local = join(modules, submodule.name);
  const hasCommit = existsSync(local) && (await holds(options.git, local, submodule.commit));
  if (!hasCommit && options.policy === 'auto') return 'its commit is not in the repository yet';
  const source = hasCommit ? local : submodule.url;
  if (source === null || source.startsWith('.')) return 'its address is not known';
  try {
    await options.git.run(
      [
        ...['-c', `submodule.${submodule.name}.url=${source}`],
        // `--checkout`: the configuration may name a command to run instead.
        ...['submodule', 'update', '--checkout', '--', submodule.path],
      ],
      {
        signal: options.signal,
        timeoutMs: hasCommit ? LOCAL_TIMEOUT_MS : REMOTE_TIMEOUT_MS,
        env: hasCommit ? {} : { GIT_ALLOW_PROTOCOL: 'file:https:ssh' },
      },
    );
    return null;
  } catch (error) {
    if (!BridgeError.is(error, 'git_failed')) throw error;
    return error.message;
  }
}

async function listSubmodules(git: WorktreeGit, signal?: AbortSignal): Promise<Submodule[]> {
  if (!existsSync(join(git.root, '.gitmodules'))) return [];
  const call = { readOnly: true, signal };
  const config = await git.run(['config', '-z', '--file', '.gitmodules', '--list'], call);
  const values = new Map<string, string>();
  for (const entry of config.stdout.toString('utf8').split('\0')) {
    const end = entry.indexOf('\n');
    if (end > 0) values.set(entry.slice(0, end), entry.slice(end + 1));
  }
  const commits = await gitlinks(git, signal);
  const found: Submodule[] = [];
  for (const [key, path] of values) {
    const name = /^submodule\.(.+)\.path$/s.exec(key)?.[1];
    const commit = commits.get(path);
    if (name === undefined || commit === undefined) continue;
    found.push({ path, name, commit, url: values.get(`submodule.${name}.url`) ?? null });
  }
  return found;
}

async function gitlinks(git: WorktreeGit, signal?: AbortSignal): Promise<Map<string, string>> {
  const { stdout } = await git.run(['ls-files', '-z', '--stage'], { readOnly: true, signal });
  const links = new Map<string, string>();
  for (const entry of stdout.toString('utf8').split('\0')) {
    const match = /^160000 ([0-9a-f]+) \d\t(.+)$/s.exec(entry);
    if (match?.[1] && match[2]) links.set(match[2], match[1]);
  }
  return links;
}

async function holds(git: WorktreeGit, gitDir: string, commit: string): Promise<boolean> {
  const { code } = await git.run([`--git-dir=${gitDir}`, 'cat-file', '-e', `${commit}^{commit}`], {
    readOnly: true,
    okCodes: [0, 1, 128],
  });
  return code === 0;
}
