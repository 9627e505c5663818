import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import type { AgentDefinition } from '../bridge/agents/agentDefinition.ts';
import { jobDir } from '../bridge/jobs/jobPaths.ts';
import { findNetworkJail } from '../bridge/processes/findNetworkJail.ts';
import type { NetworkJail } from '../bridge/processes/networkJail.ts';
import { makeToolBox } from '../bridge/runners/loop/tools/makeToolBox.ts';
import type { ToolBox } from '../bridge/runners/loop/tools/toolTypes.ts';
import { findRepository } from '../bridge/worktrees/repository.ts';
import type { SessionDeps } from './jobSession.ts';
import { loopToolRights } from './loopToolRights.ts';

/**
 * The tools of a loop job, for its folder and its rights; in a jail when the call asked for one, and then the record says so.
 * @throws BridgeError not_supported when a jail was asked for and there is none
 */
export async function openLoopTools(
  deps: SessionDeps,
  agent: AgentDefinition | null,
): Promise<ToolBox> {
  const { context, job, progress, runCwd, guard, endpoint } = deps;
  const { request } = job.spec;
  const { defaults, runners } = endpoint.config.config;
  const jail = request.sandbox === true ? await findJail(deps) : null;
  const tools = makeToolBox({
    jobId: job.record.id,
    guard,
    cwd: runCwd,
    env: context.env,
    settings: runners.loop,
    isReadOnly: job.record.readOnly,
    lockDir: join(context.stateDir, 'locks'),
    jail,
    ...loopToolRights({ agent, request, defaults }),
    ...(jail === null ? {} : await jailPlaces(deps)),
  });
  if (jail !== null) progress.change((record) => ({ ...record, network: 'jailed' }));
  return tools;
}

async function findJail({ context }: SessionDeps): Promise<NetworkJail> {
  const found = await findNetworkJail(context.env, process.platform);
  if ('jail' in found) return found.jail;
  throw new BridgeError(
    'not_supported',
    `sandbox: true was asked for, and there is no network jail here: ${found.reason}`,
    {
      hint: 'Install bubblewrap (Debian, Ubuntu: apt install bubblewrap), or leave sandbox out; the receipt then says that the network was not jailed.',
    },
  );
}

/** What a jailed command may write beside the tree: a folder for what is temporary, and where git keeps commits of a worktree. */
async function jailPlaces({
  context,
  job,
}: SessionDeps): Promise<{ tmpDir: string; writable: readonly string[] }> {
  const tmpDir = join(jobDir(context.stateDir, job.record.id), 'tmp');
  mkdirSync(tmpDir, { recursive: true, mode: 0o700 });
  const { repoRoot } = job.spec;
  if (job.record.isolation !== 'worktree' || repoRoot === null) return { tmpDir, writable: [] };
  // Asked of the checkout: what the tree says of itself an earlier job may have written.
  const { commonDir } = await findRepository(await context.git(), repoRoot);
  return { tmpDir, writable: [commonDir] };
}
