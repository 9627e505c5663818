import type { AgentDefinition } from './agentDefinition.ts';
import type { AgentFile } from './listAgentFiles.ts';
import type { ParsedAgent } from './parseAgent.ts';

/** What a job takes from a definition. Its name is that of the file: a name in the front matter finds nothing. */
export function toDefinition(file: AgentFile, parsed: ParsedAgent): AgentDefinition {
  return {
    name: file.name,
    source: file.source,
    path: file.path,
    description: parsed.description ?? '',
    body: parsed.body,
    model: parsed.model,
    tools: parsed.tools,
    disallowedTools: parsed.disallowedTools,
  };
}
