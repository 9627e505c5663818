import { closestName } from '../../config/closestName.ts';
import { NO_RANGE } from '../../config/documentRanges.ts';
import type { AgentFinding } from './lintAgent.ts';
import type { AgentFile } from './listAgentFiles.ts';
import type { ParsedAgent } from './parseAgent.ts';

const USED_KEYS = ['name', 'description', 'model', 'tools', 'disallowedTools', 'skills'] as const;

/** Keys of Claude Code that would limit or extend what the agent does, were they of effect here. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  permissionMode: 'what a job may do is decided by its call and models.yaml',
  hooks: 'no hooks are run in a job',
  mcpServers: 'no MCP servers are started in a job',
  maxTurns: 'the call and runners.loop.max_turns limit the turns',
  isolation: 'the call and defaults.isolation decide it',
  skills: 'skills are not loaded; a skill can be named as the agent itself',
};

/** Keys that mean nothing here, are probably misspelt, or say another name than the file has. */
export function lintKeys(file: AgentFile, parsed: ParsedAgent): AgentFinding[] {
  const findings: AgentFinding[] = [];
  const add = (
    key: string,
    severity: AgentFinding['severity'],
    code: string,
    message: string,
    hint = '',
    replacement?: AgentFinding['replacement'],
  ): void => {
    const range = parsed.keys.get(key) ?? NO_RANGE;
    findings.push({ severity, code, range, message, hint, ...(replacement && { replacement }) });
  };
  for (const key of parsed.keys.keys()) {
    if (key.endsWith(']')) continue;
    if (Object.hasOwn(WITHOUT_EFFECT, key)) {
      add(key, 'info', 'key_without_effect', `"${key}" has no effect here: ${WITHOUT_EFFECT[key]}`);
    } else if (key === 'allowed-tools') {
      add(
        key,
        'warning',
        'allowed_tools',
        '"allowed-tools" takes no tool away: in Claude Code it only spares questions, and here it has no effect',
        'Use "tools:" to limit what a job may do.',
      );
    } else if (!USED_KEYS.some((known) => known === key)) {
      const close = closestName(key, USED_KEYS);
      if (close !== null) {
        const replacement = { found: key, replace: close };
        const hint = `Did you mean "${close}"?`;
        add(key, 'warning', 'unknown_key', `"${key}" has no effect`, hint, replacement);
      }
    }
  }
  const { name } = parsed;
  if ((name === null || name === '') && parsed.keys.size > 0 && file.source !== 'project-skill') {
    add(
      'name',
      'info',
      'no_name',
      'Claude Code does not load an agent without "name:"',
      `Add "name: ${file.name}".`,
    );
  }
  if (name !== null && name !== '' && name !== file.name) {
    add(
      'name',
      'warning',
      'name_differs',
      `Claude Code calls it "${name.slice(0, 100)}"; here it has the name of its ${file.source === 'project-skill' ? 'folder' : 'file'}, "${file.name}"`,
      'Let both be the same.',
    );
  }
  return findings;
}
