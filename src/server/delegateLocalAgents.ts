import type { BridgeApi } from './bridgeApi.ts';

const MAX_DESCRIPTION_LENGTH = 200;

/** The definitions of the user's own folder, with the field names of delegate-local. */
export async function delegateLocalAgents(
  bridge: BridgeApi,
  cwd: string,
): Promise<Record<string, unknown>> {
  const { agents, folders } = await bridge.listAgents({ cwd });
  const folder = folders.find(({ source }) => source === 'global');
  if (folder === undefined || folder.state !== 'read') {
    return {
      agents: [],
      agents_dir: folder?.path ?? null,
      error: `The folder of agent definitions ${folder?.path ?? ''} ${folder?.state === 'unreadable' ? 'cannot be read' : 'does not exist'}.`,
    };
  }
  const own = agents.filter(({ source }) => source === 'global');
  return {
    count: own.length,
    agents_dir: folder.path,
    agents: own.map((agent) => ({
      name: agent.name,
      description: agent.description.slice(0, MAX_DESCRIPTION_LENGTH),
      declared_model: agent.declaredModel,
      path: agent.path,
      ...(agent.isUsable ? {} : { error: agent.findings[0]?.message ?? 'It cannot be used.' }),
    })),
  };
}
