import type { EffectiveConfig } from '../../config/schema.ts';
import { toolRulesOf } from '../runners/loop/tools/toolNames.ts';
import { toolRights } from '../runners/loop/tools/toolRights.ts';
import type { ParsedAgent } from './parseAgent.ts';

/** The keys of models.yaml that decide, beside a definition, which tools a job is offered. */
export interface ToolSettings {
  readonly defaults: Pick<EffectiveConfig['defaults'], 'allowed_tools' | 'disallowed_tools'>;
  readonly runners: { readonly loop: Pick<EffectiveConfig['runners']['loop'], 'bash'> };
}

/**
 * The tools that a job of this definition is offered when its call says nothing of tools and it may write, in the order of
 * the loop runner: those that both the configuration and the definition allow.
 */
export function offeredTools(
  { tools, disallowedTools }: Pick<ParsedAgent, 'tools' | 'disallowedTools'>,
  { defaults, runners }: ToolSettings,
): string[] {
  const named = new Set(toolRulesOf(defaults.allowed_tools).rules.map((rule) => rule.tool));
  const { offered } = toolRights({
    isReadOnly: false,
    hasShell: runners.loop.bash,
    allowed:
      tools === null
        ? defaults.allowed_tools
        : tools.filter((name) => toolRulesOf([name]).rules.some(({ tool }) => named.has(tool))),
    disallowed: [...defaults.disallowed_tools, ...disallowedTools],
  });
  return [...offered];
}
