import { loopToolsOf, TOOL_NAMES, toolRulesOf } from '../runners/loop/tools/toolNames.ts';
import type { ParsedAgent } from './parseAgent.ts';

/**
 * The tools that a job of this definition is offered, in the order of the loop runner. A rule with brackets, as in
 * `Bash(git *)`, offers the tool and forbids it only in part. `finish` is how a job ends; nothing takes it away.
 */
export function offeredTools(
  { tools, disallowedTools }: Pick<ParsedAgent, 'tools' | 'disallowedTools'>,
  { isBashOffered }: { readonly isBashOffered: boolean },
): string[] {
  const allowed = tools === null ? TOOL_NAMES : loopToolsOf(tools).tools;
  const forbidden = toolRulesOf(disallowedTools)
    .rules.filter((rule) => rule.pattern === null)
    .map((rule): string => rule.tool);
  return TOOL_NAMES.filter(
    (tool) =>
      tool === 'finish' ||
      (allowed.includes(tool) &&
        !forbidden.includes(tool) &&
        (tool !== 'run_bash' || isBashOffered)),
  );
}
