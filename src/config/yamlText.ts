import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Document,
  type YAMLError,
} from 'yaml';
import { NO_RANGE, toRange, type TextRange } from './documentRanges.ts';

/**
 * Enough for 5 000 lines (the example has 10 thousand characters). An ordinary file of this size takes about half a second of
 * processor time, the worst of sixty hostile ones one and a half (tried on one core of a server); each limit below is there for one of those.
 */
export const MAX_CONFIG_CHARS = 256 * 1024;
/** The parser's time grows with the square of what stands on one line. */
const MAX_LINE_CHARS = 16 * 1024;
/** A line of one character can cost as much as a long one: an error. */
const MAX_LINES = 20_000;
const MAX_DEPTH = 50;
/** Each bracket in a wrong place is an error. */
const MAX_BRACKETS = 50_000;
/** Each alias looks through all nodes for its anchor. */
const MAX_ALIASES = 1000;
const MAX_SYNTAX_PROBLEMS = 20;

interface YamlFinding {
  readonly range: TextRange;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
}

export interface YamlText {
  /** Plain data; undefined when the text cannot be used at all. */
  readonly data: unknown;
  readonly document: Document.Parsed | null;
  readonly lines: LineCounter;
  readonly findings: readonly YamlFinding[];
}

/**
 * Reads YAML without ever throwing: whatever is wrong is a finding.
 * @param options.keepsTokens for edits of the text: the nodes of the document then know their tokens
 */
export function readYamlText(
  text: string,
  { keepsTokens = false }: { readonly keepsTokens?: boolean } = {},
): YamlText {
  const lines = new LineCounter();
  const fail = (
    code: string,
    message: string,
    document: Document.Parsed | null = null,
  ): YamlText => ({
    data: undefined,
    document,
    lines,
    findings: [{ range: NO_RANGE, severity: 'error', code, message }],
  });
  if (text.length > MAX_CONFIG_CHARS) {
    return fail(
      'too_large',
      `the file has more than ${MAX_CONFIG_CHARS / 1024} thousand characters; it is not read`,
    );
  }
  const size = lineSize(text);
  if (size.longest > MAX_LINE_CHARS) {
    return fail('too_large', `a line has more than ${MAX_LINE_CHARS / 1024} thousand characters`);
  }
  if (size.count > MAX_LINES) {
    return fail('too_large', `the file has more than ${MAX_LINES / 1000} thousand lines`);
  }
  const brackets = bracketsOf(text);
  if (brackets.deepest > MAX_DEPTH)
    return fail('too_deep', `brackets are nested more than ${MAX_DEPTH} deep`);
  if (brackets.count > MAX_BRACKETS)
    return fail('too_large', `the file has more than ${MAX_BRACKETS / 1000} thousand brackets`);
  if (aliasCount(text) > MAX_ALIASES)
    return fail('too_large', `the file uses more than ${MAX_ALIASES} aliases (*name)`);
  try {
    // uniqueKeys is off because it compares every key with every other; findDuplicates() does it in one pass.
    const document = withoutTraces(() =>
      parseDocument(text, {
        lineCounter: lines,
        merge: true,
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: 'error',
        keepSourceTokens: keepsTokens,
      }),
    );
    const findings: YamlFinding[] = [
      ...document.errors
        .slice(0, MAX_SYNTAX_PROBLEMS)
        .map((error) => describe(error, lines, 'error')),
      ...document.warnings
        .slice(0, MAX_SYNTAX_PROBLEMS)
        .map((error) => describe(error, lines, 'warning')),
      ...findDuplicates(document.contents, lines),
    ];
    if (findings.some((finding) => finding.severity === 'error')) {
      return { data: undefined, document, lines, findings };
    }
    const data: unknown = document.toJS({ maxAliasCount: 100 });
    if (isDeeperThan(data, MAX_DEPTH)) {
      return fail('too_deep', `its keys are nested more than ${MAX_DEPTH} deep`);
    }
    return { data, document, lines, findings };
  } catch (error) {
    // The parser throws on aliases that lead nowhere or expand without end and, by exhausting the stack, on absurd nesting.
    const reason =
      error instanceof ReferenceError
        ? 'an alias (*name) has no anchor (&name) before it, or the aliases expand too far'
        : 'it is nested too deeply';
    return fail('unreadable', `the file cannot be read: ${reason}`);
  }
}

/** The parser makes an error of each thing that is wrong; their traces would take most of the time of a hostile text. */
function withoutTraces<Result>(act: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return act();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function describe(
  error: YAMLError,
  lines: LineCounter,
  severity: 'error' | 'warning',
): YamlFinding {
  const words: Partial<Record<YAMLError['code'], string>> = {
    TAB_AS_INDENT: 'tabs cannot be used for indentation; use spaces',
    BAD_INDENT: 'the indentation does not fit the lines around it',
    MULTIPLE_DOCS: 'the file holds more than one document ("---"); only one is allowed',
    MULTILINE_IMPLICIT_KEY: 'a key must stand on one line; is a ":" missing?',
    BLOCK_AS_IMPLICIT_KEY:
      'a group of keys cannot start on this line; is a value missing its quotes?',
  };
  return {
    range: toRange(lines, error.pos),
    severity,
    code: error.code === 'TAB_AS_INDENT' ? 'tab' : 'syntax',
    message: words[error.code] ?? firstLine(error.message),
  };
}

function firstLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? message;
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function findDuplicates(root: unknown, lines: LineCounter): YamlFinding[] {
  const findings: YamlFinding[] = [];
  const pending: unknown[] = [root];
  while (pending.length > 0 && findings.length < MAX_SYNTAX_PROBLEMS) {
    const node = pending.pop();
    if (isSeq(node)) pending.push(...node.items);
    if (!isMap(node)) continue;
    const seen = new Map<string, number>();
    for (const { key, value } of node.items) {
      pending.push(value);
      if (isCollection(key) && findings.length < MAX_SYNTAX_PROBLEMS) {
        findings.push(groupAsKey(key, lines));
      }
      if (isAlias(key) || !isScalar(key) || !key.range) continue;
      const name = String(key.value);
      const range = toRange(lines, key.range);
      const first = seen.get(name);
      if (first === undefined) seen.set(name, range.line);
      else if (name !== '<<' && findings.length < MAX_SYNTAX_PROBLEMS) {
        findings.push({
          range,
          severity: 'error',
          code: 'duplicate_key',
          message: `"${name.slice(0, 60)}" is on line ${first} and again on line ${range.line}; keep one of them`,
        });
      }
    }
  }
  return findings.reverse();
}

/** Nothing here has such a key, and each is written out as text again for its name: nested ones cost without end. */
function groupAsKey(key: Node, lines: LineCounter): YamlFinding {
  return {
    range: toRange(lines, key.range ?? [0, 0]),
    severity: 'error',
    code: 'syntax',
    message: 'a group or list cannot be a key; is a value missing its quotes?',
  };
}

function lineSize(text: string): { readonly count: number; readonly longest: number } {
  let count = 0;
  let longest = 0;
  for (let start = 0; start < text.length; count++) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length : end + 1;
    longest = Math.max(longest, next - start);
    start = next;
  }
  return { count, longest };
}

/** Level by level, so that neither depth nor an alias that leads back to itself can exhaust the stack. */
function isDeeperThan(data: unknown, limit: number): boolean {
  let level = new Set<unknown>([data]);
  for (let depth = 0; depth <= limit; depth++) {
    const next = new Set<unknown>();
    for (const value of level) {
      if (value === null || typeof value !== 'object') continue;
      for (const item of Object.values(value)) next.add(item);
    }
    if (next.size === 0) return false;
    level = next;
  }
  return true;
}

/** An upper bound of the bracket nesting, quotes and comments ignored: cheap, and real files stay far below the limits. */
function bracketsOf(text: string): { readonly deepest: number; readonly count: number } {
  let depth = 0;
  let deepest = 0;
  let count = 0;
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
    else continue;
    count++;
  }
  return { deepest, count };
}

/** An upper bound as well: every "*" that could begin an alias. */
function aliasCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf('*'); at >= 0; at = text.indexOf('*', at + 1)) {
    if (at > 0 && ' \t\n,[{'.includes(text[at - 1] ?? '')) count++;
  }
  return count;
}
