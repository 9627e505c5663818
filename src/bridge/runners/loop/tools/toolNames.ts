/** The tools of the loop runner, in the order in which a model is told of them. */
export const TOOL_NAMES = [
  'list_dir',
  'glob',
  'grep',
  'read_file',
  'write_file',
  'edit_file',
  'run_bash',
  'finish',
] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

/** Names in agent files that mean one of our tools, in lower case: those of Claude Code, and our own. */
const ALIASES: ReadonlyMap<string, ToolName> = new Map([
  ['read', 'read_file'],
  ['write', 'write_file'],
  ['edit', 'edit_file'],
  ['multiedit', 'edit_file'],
  ['glob', 'glob'],
  ['grep', 'grep'],
  ['ls', 'list_dir'],
  ['bash', 'run_bash'],
  ...TOOL_NAMES.map((name): [string, ToolName] => [name, name]),
]);

/** One entry of `tools:` or `disallowedTools:` that we have a tool for. */
export interface ToolRule {
  readonly tool: ToolName;
  /** What stands in brackets, as in `Bash(git *)`: the rule holds only for such commands or paths. Null: for every call. */
  readonly pattern: string | null;
}

export interface ToolRules {
  readonly rules: readonly ToolRule[];
  readonly unknown: readonly string[];
}

/** Reads the entries of an agent file; `*` stands for every tool. Case does not count. */
export function toolRulesOf(names: readonly string[]): ToolRules {
  const rules: ToolRule[] = [];
  const unknown: string[] = [];
  for (const name of names) {
    const entry = name.trim();
    if (entry === '') continue;
    if (entry === '*') {
      rules.push(...TOOL_NAMES.map((tool) => ({ tool, pattern: null })));
      continue;
    }
    const [, word = '', bracket] = /^([^(]*?)\s*(?:\(([^]*)\))?$/.exec(entry) ?? [];
    const tool = ALIASES.get(word.toLowerCase());
    const pattern = bracket?.trim() ?? '';
    if (tool === undefined) unknown.push(entry);
    else rules.push({ tool, pattern: pattern === '' || pattern === '*' ? null : pattern });
  }
  return { rules, unknown };
}

/** The tools that names from an agent file mean, each once and in our order, and the names that mean none. */
export function loopToolsOf(names: readonly string[]): { tools: string[]; unknown: string[] } {
  const { rules, unknown } = toolRulesOf(names);
  const named = new Set(rules.map((rule) => rule.tool));
  return { tools: TOOL_NAMES.filter((tool) => named.has(tool)), unknown: [...unknown] };
}
