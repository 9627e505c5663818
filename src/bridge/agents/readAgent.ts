import { BridgeError } from '../../base/bridgeError.ts';
import { closestName } from '../../config/closestName.ts';
import type { AgentDefinition } from './agentDefinition.ts';
import { readAgentFile } from './agentFile.ts';
import { agentFiles, isAgentName, type AgentPlaces } from './agentPlaces.ts';
import { listAgentFiles } from './listAgentFiles.ts';
import { parseAgent } from './parseAgent.ts';
import { toDefinition } from './toDefinition.ts';

/**
 * The definition of that name: `<folder>/.claude/agents/<name>.md`, `<folder>/.claude/skills/<name>/SKILL.md`, then `<agentsDir>/<name>.md`.
 * The first file that is there wins, also when it cannot be used: another one of that name would be a surprise.
 * @throws BridgeError unknown_agent; config_invalid for a file that cannot be read
 */
export function readAgent(name: string, places: AgentPlaces): AgentDefinition {
  if (!isAgentName(name)) {
    throw new BridgeError('unknown_agent', `"${name.slice(0, 100)}" is not the name of an agent.`, {
      hint: 'Names are made of letters, digits, "_" and "-".',
    });
  }
  for (const file of agentFiles(name, places)) {
    const text = readAgentFile(file, places);
    if (text === null) continue;
    const parsed = parseAgent(text);
    const error = parsed.problems.find((problem) => problem.severity === 'error');
    if (error !== undefined) {
      // Which tools it may use stands in the front matter: not to know is not to allow all.
      throw new BridgeError(
        'config_invalid',
        `The agent ${name} cannot be used: ${file.path}:${error.range.line}: ${error.message}.`,
        {
          hint: 'Mend the front matter; "delegate agents" checks it.',
          details: { file: file.path, line: error.range.line },
        },
      );
    }
    return toDefinition({ name, ...file }, parsed);
  }
  throw notFound(name, places);
}

function notFound(name: string, places: AgentPlaces): BridgeError {
  const searched = agentFiles(name, places).map((file) => file.path);
  const known = [...new Set(listAgentFiles(places).files.map((file) => file.name))].sort();
  const close = closestName(name, known);
  const others =
    known.length === 0
      ? 'There is no agent in any of these places.'
      : `There are: ${known.slice(0, 20).join(', ')}${known.length > 20 ? ' …' : ''}.`;
  return new BridgeError(
    'unknown_agent',
    `There is no agent "${name}"; looked for ${searched.join(', ')}.`,
    {
      hint: close === null ? others : `Did you mean ${close}? ${others}`,
      details: { searched, known },
    },
  );
}
