import { closestName } from '../../config/closestName.ts';
import { NO_RANGE, type TextRange } from '../../config/documentRanges.ts';
import { toolRulesOf } from '../runners/loop/tools/toolNames.ts';
import type { AgentFacts, AgentFinding } from './lintAgent.ts';
import { offeredTools } from './offeredTools.ts';
import type { ParsedAgent } from './parseAgent.ts';

/** Tools of Claude Code that the loop runner has a counterpart for, as they are written there. */
const KNOWN_NAMES = ['Read', 'Write', 'Edit', 'MultiEdit', 'Glob', 'Grep', 'LS', 'Bash'] as const;

/** Tools of Claude Code that the loop runner has none for. */
const ONLY_CLAUDE_CODE: ReadonlySet<string> = new Set(
  [
    'Agent',
    'AskUserQuestion',
    'BashOutput',
    'EnterPlanMode',
    'EnterWorktree',
    'ExitPlanMode',
    'KillBash',
    'KillShell',
    'LSP',
    'ListMcpResourcesTool',
    'NotebookEdit',
    'NotebookRead',
    'PowerShell',
    'ReadMcpResourceTool',
    'SendMessage',
    'Skill',
    'SlashCommand',
    'Task',
    'TaskCreate',
    'TaskGet',
    'TaskList',
    'TaskOutput',
    'TaskStop',
    'TaskUpdate',
    'TodoRead',
    'TodoWrite',
    'ToolSearch',
    'WebFetch',
    'WebSearch',
  ].map((name) => name.toLowerCase()),
);

/** Names in `tools:` and `disallowedTools:` that do not do what they say. */
export function lintTools(parsed: ParsedAgent, facts: AgentFacts): AgentFinding[] {
  return [
    ...lintNames(parsed, 'tools', parsed.tools ?? []),
    ...lintNames(parsed, 'disallowedTools', parsed.disallowedTools),
    ...lintOffer(parsed, facts),
  ];
}

/** What the definition asks for and the configuration does not give, and lists that leave next to nothing. */
function lintOffer(parsed: ParsedAgent, { settings }: AgentFacts): AgentFinding[] {
  const { tools, disallowedTools, keys } = parsed;
  const range = keys.get(tools === null ? 'disallowedTools' : 'tools') ?? NO_RANGE;
  const finding = (
    severity: AgentFinding['severity'],
    code: string,
    message: string,
    hint = '',
  ): AgentFinding => ({ severity, code, range, message, hint });
  const offered = offeredTools(parsed, settings);
  if (offered.every((tool) => tool === 'finish') && disallowedTools.length > 0)
    return [
      finding('warning', 'no_tools', 'no tool is left, so the model can only answer with text'),
    ];
  if (tools?.length === 0) {
    return [
      finding(
        'warning',
        'tools_empty',
        '"tools" names no tool, so only those that look are offered',
        'Leave "tools:" out to allow all of them.',
      ),
    ];
  }
  const forbidden = new Set(toolRulesOf(disallowedTools).rules.map((rule) => rule.tool));
  const missed = toolRulesOf(tools ?? [])
    .rules.map((rule) => rule.tool)
    .filter((tool) => !offered.includes(tool) && !forbidden.has(tool));
  return [...new Set(missed)].map((tool) =>
    tool === 'run_bash' && !settings.runners.loop.bash
      ? finding(
          'info',
          'bash_off',
          'the shell is switched off (runners.loop.bash), so Bash is not offered',
        )
      : finding(
          'info',
          'not_allowed',
          `${tool} is offered only when the call allows it: defaults.allowed_tools and defaults.disallowed_tools do not let it through`,
        ),
  );
}

function lintNames(
  parsed: ParsedAgent,
  key: 'tools' | 'disallowedTools',
  names: readonly string[],
): AgentFinding[] {
  return names.flatMap((name, index): AgentFinding[] => {
    if (toolRulesOf([name]).unknown.length === 0) return [];
    const word = name.replace(/\(.*/s, '').trim();
    const isForeign = isMcp(word) || ONLY_CLAUDE_CODE.has(word.toLowerCase());
    // To forbid what is not there anyway is fine.
    if (isForeign && key === 'disallowedTools') return [];
    return [{ ...describe(word, key), range: rangeOf(parsed, key, index) }];
  });
}

function describe(name: string, key: 'tools' | 'disallowedTools'): Omit<AgentFinding, 'range'> {
  const shown = name.slice(0, 60);
  if (isMcp(name)) {
    return {
      severity: 'warning',
      code: 'mcp_tool',
      message: `${shown} is a tool of an MCP server; the loop runner offers none of those`,
      hint: 'Say in the task what the agent needs from there.',
    };
  }
  if (ONLY_CLAUDE_CODE.has(name.toLowerCase())) {
    return {
      severity: 'warning',
      code: 'tool_not_offered',
      message: `${shown} is a tool of Claude Code that the loop runner does not have`,
      hint: '',
    };
  }
  const close = closestName(name, KNOWN_NAMES);
  return {
    severity: 'warning',
    code: 'unknown_tool',
    message:
      key === 'tools'
        ? `there is no tool "${shown}", so it is not offered`
        : `there is no tool "${shown}", so nothing is forbidden by it`,
    ...(close === null
      ? { hint: `There are: ${KNOWN_NAMES.join(', ')}.` }
      : { hint: `Did you mean ${close}?`, replacement: { found: name, replace: close } }),
  };
}

function isMcp(name: string): boolean {
  return /^mcp__/i.test(name);
}

function rangeOf(parsed: ParsedAgent, key: string, index: number): TextRange {
  return parsed.keys.get(`${key}[${index}]`) ?? parsed.keys.get(key) ?? NO_RANGE;
}
