import { isGroup } from '../../config/parts.ts';
import { NO_RANGE, rangeOf, type TextRange } from '../../config/documentRanges.ts';
import { readYamlText, type YamlText } from '../../config/yamlText.ts';
import { splitToolList } from './splitToolList.ts';

/** Something about the text of a definition that a person should know; lines count from 1, in the file. */
interface AgentTextProblem {
  /** `error`: nothing of the front matter can be relied on, so the definition is not used. */
  readonly severity: 'error' | 'warning';
  readonly code: 'front_matter_open' | 'front_matter_yaml' | 'front_matter_quotes' | 'wrong_type';
  /** The key it is about; null: the front matter as such. */
  readonly key: string | null;
  readonly range: TextRange;
  readonly message: string;
}

/** The text of a definition, taken apart. */
export interface ParsedAgent {
  /** Null: the front matter does not say. */
  readonly name: string | null;
  readonly description: string | null;
  readonly model: string | null;
  /** Null: no such key. An empty list is a key that names no tool. */
  readonly tools: readonly string[] | null;
  readonly disallowedTools: readonly string[];
  readonly skills: readonly string[];
  readonly body: string;
  /** Every key of the front matter with the place of its value; `tools[0]` for an entry of a list. */
  readonly keys: ReadonlyMap<string, TextRange>;
  readonly problems: readonly AgentTextProblem[];
}

const FENCE = /^---[ \t]*$/;
/** A key at the left edge with text that could not stand there unquoted. */
const PLAIN_LINE = /^([A-Za-z_][\w-]*):[ \t]+([^\s"'[{|>#].*)$/;

/**
 * Takes the text of a definition apart. Never throws. The front matter lies between a first line `---` and the next line
 * that is nothing but `---`; without the second one everything is the body, as the tools that read these files have it.
 */
export function parseAgent(text: string): ParsedAgent {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  if (!FENCE.test(lines[0] ?? '')) return withoutFrontMatter(lines, []);
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (end < 0) {
    return withoutFrontMatter(lines, [
      {
        severity: 'warning',
        code: 'front_matter_open',
        key: null,
        range: lineRange(1, lines[0] ?? ''),
        message: 'the front matter has no closing "---" line, so all of the file is the prompt',
      },
    ]);
  }
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  return { ...readFrontMatter(lines.slice(1, end)), body };
}

function withoutFrontMatter(
  lines: readonly string[],
  problems: readonly AgentTextProblem[],
): ParsedAgent {
  return { ...NOTHING, body: lines.join('\n').trim(), problems };
}

const NOTHING: Omit<ParsedAgent, 'body'> = {
  name: null,
  description: null,
  model: null,
  tools: null,
  disallowedTools: [],
  skills: [],
  keys: new Map(),
  problems: [],
};

function readFrontMatter(lines: readonly string[]): Omit<ParsedAgent, 'body'> {
  const problems: AgentTextProblem[] = [];
  let yaml = readYamlText(lines.join('\n'));
  const failure = firstError(yaml);
  if (failure !== null) {
    // Descriptions with a colon in them are common, and Claude Code takes them; so a value that only lacks quotes gets them.
    const retried = readYamlText(lines.map(quoted).join('\n'));
    if (firstError(retried) !== null) return { ...NOTHING, problems: [failure] };
    problems.push({
      ...failure,
      severity: 'warning',
      code: 'front_matter_quotes',
      message: `this is no YAML (${failure.message}); the values are taken as plain text: put quotes around them`,
    });
    yaml = retried;
  }
  const { data, document, lines: counter } = yaml;
  if (data === null || data === undefined) return { ...NOTHING, problems };
  if (!isGroup(data) || document === null) {
    return {
      ...NOTHING,
      problems: [
        {
          severity: 'error',
          code: 'front_matter_yaml',
          key: null,
          range: lineRange(2, lines[0] ?? ''),
          message: 'the front matter is not a group of keys such as "description: …"',
        },
      ],
    };
  }
  const keys = new Map<string, TextRange>();
  for (const [key, value] of Object.entries(data)) {
    keys.set(key, moved(rangeOf(document, counter, [key], 'value')));
    for (const index of Array.isArray(value) ? value.keys() : [])
      keys.set(`${key}[${index}]`, moved(rangeOf(document, counter, [key, index], 'value')));
  }
  const wrong = (key: string, severity: 'error' | 'warning', message: string): void => {
    problems.push({ severity, code: 'wrong_type', key, range: keys.get(key) ?? NO_RANGE, message });
  };
  const line = (key: string): string | null => {
    const value = data[key];
    if (value === null || value === undefined) return null;
    if (typeof value === 'string') return value.trim();
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    wrong(key, 'warning', `"${key}" must be a text; it is ignored`);
    return null;
  };
  const list = (key: string, severity: 'error' | 'warning'): readonly string[] | null => {
    if (!Object.hasOwn(data, key)) return null;
    const value = toolList(data[key]);
    if (value !== null) return value;
    const effect = severity === 'error' ? 'what it allows is not known' : 'it is ignored';
    wrong(key, severity, `"${key}" must be a list such as "Read, Grep" or [Read, Grep]; ${effect}`);
    return null;
  };
  const tools = list('tools', 'error');
  return {
    name: line('name'),
    description: line('description'),
    model: line('model'),
    tools: tools?.includes('*') === true ? null : tools,
    disallowedTools: list('disallowedTools', 'error') ?? [],
    skills: list('skills', 'warning') ?? [],
    keys,
    problems,
  };
}

/** A text or a list of texts; null for anything else. A key without a value names nothing. */
function toolList(value: unknown): readonly string[] | null {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return splitToolList(value);
  if (!Array.isArray(value)) return null;
  const items: readonly unknown[] = value;
  if (!items.every((item) => typeof item === 'string')) return null;
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function firstError({ findings }: YamlText): AgentTextProblem | null {
  const found = findings.find((finding) => finding.severity === 'error');
  if (found === undefined) return null;
  const { range, message } = found;
  return { severity: 'error', code: 'front_matter_yaml', key: null, range: moved(range), message };
}

function quoted(line: string): string {
  const [, key, value] = PLAIN_LINE.exec(line) ?? [];
  return key === undefined || value === undefined
    ? line
    : `${key}: ${JSON.stringify(value.trimEnd())}`;
}

/** The front matter begins on the second line of the file. */
function moved(range: TextRange): TextRange {
  const by = range.line === 0 ? 2 : 1;
  return { ...range, line: range.line + by, endLine: range.endLine + by };
}

function lineRange(line: number, text: string): TextRange {
  return { line, column: 1, endLine: line, endColumn: text.length + 1 };
}
