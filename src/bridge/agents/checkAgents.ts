import type { AgentsView } from '../../protocol/agentsView.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { assertFolder } from '../submitChecks.ts';
import { placesOf } from './placesOf.ts';
import { surveyAgents } from './surveyAgents.ts';

export interface CheckAgentsOptions {
  readonly cwd: string;
  /** Texts that an editor has open. */
  readonly open: readonly { readonly path: string; readonly text: string }[];
  /** Names that endpoints answer for; null: nobody was asked. */
  readonly served: readonly string[] | null;
}

/**
 * The definitions of a folder, held against the configuration of its repository, in the words of `delegate agents`. Definitions are
 * somebody's instructions to models: in restricted mode none is read.
 * @throws BridgeError restricted in restricted mode
 */
export function checkAgents(
  context: BridgeContext,
  repoRoot: string | null,
  { cwd, open, served }: CheckAgentsOptions,
): Pick<AgentsView, 'folder' | 'agents' | 'folders'> {
  context.assertUnrestricted();
  assertFolder(cwd);
  const { config } = context.loadConfig(repoRoot);
  const texts = new Map(open.map(({ path, text }) => [path, text]));
  const openText = (path: string): string | null => texts.get(path) ?? null;
  const places = placesOf(context, config, cwd);
  return { folder: cwd, ...surveyAgents(places, config, served, openText) };
}
