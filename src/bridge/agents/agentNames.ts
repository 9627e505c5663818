import type { BridgeContext } from '../bridgeContext.ts';
import { listAgentFiles } from './listAgentFiles.ts';
import { placesOf } from './placesOf.ts';

/** Names that a call from a folder may give as its agent; whether each can be used is not looked at. */
export function agentNames(
  context: BridgeContext,
  folder: string,
  repoRoot: string | null,
): string[] {
  const { config } = context.loadConfig(repoRoot);
  const { files } = listAgentFiles(placesOf(context, config, folder));
  return [...new Set(files.map((file) => file.name))].sort();
}
