import { expandHome } from '../config/paths.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { Policy } from '../protocol/job.ts';
import { listAgentFiles } from './agents/listAgentFiles.ts';
import { readAgent } from './agents/readAgent.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { BridgeError } from '../base/bridgeError.ts';
import { findProgram } from './processes/findProgram.ts';
import { assertFolder } from './submitChecks.ts';
import type { Git } from './worktrees/gitRunner.ts';
import { tryFindRepository, tryHeadCommit } from './worktrees/repository.ts';

export interface DelegateFacts {
  /** Null outside git. */
  readonly repoRoot: string | null;
  readonly hasCommits: boolean;
  /** Files that differ from the last commit, new ones included; null outside git. */
  readonly uncommitted: number | null;
  /** Of the paths asked about, those that git ignores. */
  readonly ignored: readonly string[];
  readonly gates: readonly {
    readonly name: string;
    readonly kind: string;
    readonly run: string | null;
  }[];
  readonly agents: readonly { readonly name: string; readonly description: string }[];
  readonly defaults: {
    /** The configured one; the loop where that is Claude Code and it is not installed. */
    readonly runner: 'claude-code' | 'loop';
    readonly model: string | null;
    readonly policy: Policy;
    readonly isolation: 'worktree' | 'none';
  };
}

/** What of a folder and its configuration decides how work can be handed over there. No endpoint is asked. */
export async function delegateFacts(
  context: BridgeContext,
  options: { cwd: string; paths: readonly string[]; signal?: AbortSignal },
): Promise<DelegateFacts> {
  const { cwd, paths, signal } = options;
  assertFolder(cwd);
  const git = await context.git();
  const repository = await tryFindRepository(git, cwd, signal);
  const { config } = context.loadConfig(repository?.repoRoot ?? null);
  const top = repository?.repoRoot ?? null;
  const runner = usualRunner(context, config, cwd);
  const [head, uncommitted, ignored] =
    top === null
      ? [null, null, []]
      : await Promise.all([
          tryHeadCommit(git, top, signal),
          countUncommitted(git, top, signal),
          ignoredOf(git, top, paths, signal),
        ]);
  return {
    repoRoot: top,
    hasCommits: head !== null,
    uncommitted,
    ignored,
    gates: Object.entries(config.gates).map(([name, gate]) => ({
      name,
      kind: gate.kind,
      run: gate.run ?? null,
    })),
    agents: agentsOf(cwd, expandHome(config.runners.loop.agents_dir, context.homeDir)),
    defaults: {
      runner: await runner,
      model: config.defaults.model === '' ? null : config.defaults.model,
      policy: config.defaults.policy,
      isolation: config.defaults.isolation,
    },
  };
}

async function usualRunner(
  context: BridgeContext,
  { defaults, runners }: EffectiveConfig,
  cwd: string,
): Promise<'claude-code' | 'loop'> {
  if (defaults.runner === 'loop') return 'loop';
  const program = await findProgram(runners['claude-code'].bin, context.env, cwd);
  return program === null ? 'loop' : 'claude-code';
}

/** A definition that cannot be read is left out here; `list_agents` says what is wrong with it. */
function agentsOf(folder: string, agentsDir: string): DelegateFacts['agents'] {
  const places = { folder, agentsDir };
  const names = [...new Set(listAgentFiles(places).files.map(({ name }) => name))];
  return names.flatMap((name) => {
    try {
      return [{ name, description: readAgent(name, places).description }];
    } catch (error) {
      if (BridgeError.is(error, 'config_invalid', 'unknown_agent')) return [];
      throw error;
    }
  });
}

async function countUncommitted(git: Git, top: string, signal?: AbortSignal): Promise<number> {
  const { stdout } = await git.run(
    ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'],
    { cwd: top, readOnly: true, signal },
  );
  return stdout.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
}

async function ignoredOf(
  git: Git,
  top: string,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  // Git refuses the whole question for one path that lies outside.
  const asked = paths.filter((path) => path.startsWith(`${top}/`));
  if (asked.length === 0) return [];
  const { stdout, code } = await git.run(['check-ignore', '-z', '--stdin'], {
    cwd: top,
    readOnly: true,
    // The command knows no literal pathspecs; the prefix keeps a name that starts with a colon from being one of magic.
    input: asked.map((path) => `./${path.slice(top.length + 1)}\0`).join(''),
    env: { GIT_LITERAL_PATHSPECS: '0' },
    okCodes: [0, 1, 128], // 1: none of them
    signal,
  });
  if (code === 128) {
    // One lies in a submodule, say: that is no reason to know nothing of the others.
    if (asked.length === 1) return [];
    const each = await Promise.all(asked.map((path) => ignoredOf(git, top, [path], signal)));
    return each.flat();
  }
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => `${top}/${path.slice(2)}`);
}
