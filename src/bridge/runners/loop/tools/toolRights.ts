import { isCommandAllowed, isCommandForbidden } from './commandRules.ts';
import { expandBraces } from './braces.ts';
import { pathGlob } from './pathGlob.ts';
import { TOOL_NAMES, toolRulesOf, type ToolName, type ToolRule } from './toolNames.ts';

export interface RightsAsked {
  readonly isReadOnly: boolean;
  /** Whether the shell is offered at all (`runners.loop.bash`). */
  readonly hasShell: boolean;
  /** `tools:` of the agent file; null: all. */
  readonly allowed: readonly string[] | null;
  readonly disallowed: readonly string[];
}

export interface ToolRights {
  /** In the order of all tools. */
  readonly offered: readonly ToolName[];
  /** Why a tool that is not offered is not; null when it is. */
  notOffered(tool: ToolName): string | null;
  /** Why a call is against the agent file; null: it is not. */
  refusal(tool: ToolName, subject: string): string | null;
}

const READING: ReadonlySet<ToolName> = new Set(['list_dir', 'glob', 'grep', 'read_file', 'finish']);
/** A rule with a path for one of these holds for the others of its line, as in Claude Code. */
const SAME_RULES: readonly (readonly ToolName[])[] = [
  ['write_file', 'edit_file'],
  ['read_file', 'grep'],
];

/**
 * What a job may use: never more than the agent file allows, but tools that only look, and `finish`, are there unless they are
 * forbidden by name: without them an agent could not see what it changes. `finish` cannot be forbidden.
 */
export function toolRights(asked: RightsAsked): ToolRights {
  const allowed = asked.allowed === null ? null : toolRulesOf(asked.allowed).rules;
  const forbidden = toolRulesOf(asked.disallowed).rules;
  const notOffered = (tool: ToolName): string | null => {
    if (tool === 'finish') return null;
    if (forbidden.some((rule) => rule.tool === tool && rule.pattern === null)) {
      return `${tool} is forbidden to this agent.`;
    }
    if (READING.has(tool)) return null;
    if (asked.isReadOnly) return `${tool} is not available: this job is read-only.`;
    if (tool === 'run_bash' && !asked.hasShell)
      return 'Commands are switched off (runners.loop.bash).';
    if (allowed !== null && !allowed.some((rule) => rule.tool === tool)) {
      return `${tool} is not among the tools of this agent.`;
    }
    return null;
  };
  return {
    offered: TOOL_NAMES.filter((tool) => notOffered(tool) === null),
    notOffered,
    refusal: (tool, subject) => {
      const isCommand = tool === 'run_bash';
      const deny = patternsFor(tool, forbidden);
      const isDenied = isCommand ? isCommandForbidden(subject, deny) : isPathIn(subject, deny);
      if (isDenied) return `This is forbidden to this agent (${deny.join('; ')}).`;
      if (READING.has(tool) || allowed === null) return null;
      const rules = allowed.filter((rule) => rule.tool === tool);
      if (rules.some((rule) => rule.pattern === null)) return null;
      const allow = rules.flatMap((rule) => rule.pattern ?? []);
      const isAllowed = isCommand ? isCommandAllowed(subject, allow) : isPathIn(subject, allow);
      return isAllowed ? null : `${tool} of this agent is only for: ${allow.join('; ')}.`;
    },
  };
}

function patternsFor(tool: ToolName, rules: readonly ToolRule[]): string[] {
  const tools = SAME_RULES.find((each) => each.includes(tool)) ?? [tool];
  return rules.flatMap((rule) => (tools.includes(rule.tool) ? (rule.pattern ?? []) : []));
}

/** A path rule is for the work folder, as in a .gitignore; those of other places (`~/…`, `//…`) match nothing here. */
function isPathIn(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const below = pattern.replace(/^\.?\/(?!\/)/, '');
    const isAnchored = below !== pattern || below.includes('/');
    return (expandBraces(below) ?? [below]).some((each) =>
      pathGlob(isAnchored ? each : `**/${each}`)(path),
    );
  });
}
