import type { AgentDefinition } from '../bridge/agents/agentDefinition.ts';
import { toolRulesOf } from '../bridge/runners/loop/tools/toolNames.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { JobRequest } from '../protocol/job.ts';

export interface ToolRights {
  /** Null: all. */
  readonly allowed: readonly string[] | null;
  readonly disallowed: readonly string[];
}

/** What a job may use: what the call, else the configuration, allows and the agent's definition too. */
export function loopToolRights(sources: {
  readonly agent: Pick<AgentDefinition, 'tools' | 'disallowedTools'> | null;
  readonly request: Pick<JobRequest, 'allowedTools'>;
  readonly defaults: Pick<EffectiveConfig['defaults'], 'allowed_tools' | 'disallowed_tools'>;
}): ToolRights {
  const { agent, request, defaults } = sources;
  const byCall = request.allowedTools ?? defaults.allowed_tools;
  const disallowed = [...defaults.disallowed_tools, ...(agent?.disallowedTools ?? [])];
  if (agent === null || agent.tools === null) return { allowed: byCall, disallowed };
  const tools = new Set(toolRulesOf(byCall).rules.map(({ tool }) => tool));
  // The agent's own entries stay as they are, with what they say of single commands.
  const both = agent.tools.filter((name) =>
    toolRulesOf([name]).rules.some(({ tool }) => tools.has(tool)),
  );
  return { allowed: both, disallowed };
}
