import type { Script, ScriptAction, ScriptItem } from './script.ts';

export type ParsedScript =
  | { ok: true; script: Script }
  | {
      ok: false;
      /** Line of the script, from 1. */
      line: number;
      /** One sentence for a person. */
      problem: string;
    };

/** A line of the script with the text that belongs to it. */
interface Entry {
  line: number;
  /** The line without its body: "write a.txt", "run", "status 429 retry-after=2". */
  head: string;
  body: string | null;
  /** A body on the line itself, where \n and \t are escapes; blocks are taken as they are. */
  isInline: boolean;
}

class ScriptProblem extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Reads a script, one action a line:
 *
 *     write PATH: TEXT        run: COMMAND         say: TEXT          read PATH
 *     edit PATH: OLD => NEW   thinking: TEXT       --- (next round)   # comment
 *     status 429 retry-after=2 TEXT · hang 30s · cut · html · empty · bad-json · bad-input · overflow
 *     split every 1 byte · slow 20 tok/s
 *
 * Instead of TEXT a body may follow as an indented block (after `write PATH:`), or up to a word alone on its line
 * (`write PATH <<END`). In such an edit a line `=>` stands between old and new. A script that cannot be read is a result.
 */
export function parseScript(text: string): ParsedScript {
  try {
    const rounds: ScriptItem[][] = [[]];
    for (const entry of readEntries(text.split(/\r?\n/))) {
      if (entry.head === '---') rounds.push([]);
      else rounds.at(-1)?.push({ ...readAction(entry), line: entry.line });
    }
    return { ok: true, script: { rounds } };
  } catch (error) {
    if (error instanceof ScriptProblem) {
      return { ok: false, line: error.line, problem: error.message };
    }
    throw error;
  }
}

function* readEntries(lines: readonly string[]): Generator<Entry> {
  for (let i = 0; i < lines.length; i++) {
    const raw = lines[i] ?? '';
    const trimmed = raw.trim();
    const line = i + 1;
    if (trimmed === '' || trimmed.startsWith('#')) continue;

    const colon = /:(?=\s|$)/.exec(trimmed);
    const heredoc = /\s*<<\s*(\w+)$/.exec(trimmed);
    const isAfterColon = colon !== null && colon.index < (heredoc?.index ?? 0) - 1;
    if (heredoc?.[1] !== undefined && !isAfterColon) {
      const end = heredoc[1];
      const from = i + 1;
      do i++;
      while (i < lines.length && lines[i]?.trim() !== end);
      if (i >= lines.length) throw new ScriptProblem(line, `The body is not closed with ${end}.`);
      const head = trimmed.slice(0, heredoc.index).replace(/:$/, '').trim();
      yield { line, head, body: asLines(lines.slice(from, i)), isInline: false };
      continue;
    }

    if (colon === null) {
      yield { line, head: trimmed, body: null, isInline: true };
      continue;
    }
    const head = trimmed.slice(0, colon.index).trim();
    const inline = trimmed.slice(colon.index + 1).trim();
    if (inline !== '') {
      yield { line, head, body: inline, isInline: true };
      continue;
    }
    const block: string[] = [];
    const outer = indentOf(raw);
    while (i + 1 < lines.length && isPartOfBlock(lines[i + 1] ?? '', outer)) {
      block.push(lines[i + 1] ?? '');
      i++;
    }
    while (block.at(-1)?.trim() === '') block.pop();
    yield { line, head, body: asLines(dedent(block)), isInline: false };
  }
}

function isPartOfBlock(line: string, outer: number): boolean {
  return line.trim() === '' || indentOf(line) > outer;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function dedent(lines: readonly string[]): string[] {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map(indentOf));
  return lines.map((line) => line.slice(Math.min(indent, indentOf(line))));
}

function asLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function readAction(entry: Entry): ScriptAction {
  const { head, line } = entry;
  const space = head.search(/\s/);
  const verb = space < 0 ? head : head.slice(0, space);
  const argument = space < 0 ? '' : head.slice(space).trim();
  const withoutArgument = <T>(action: T): T => {
    if (argument !== '' || entry.body !== null) {
      throw new ScriptProblem(line, `"${verb}" stands alone on its line.`);
    }
    return action;
  };

  switch (verb) {
    case 'write':
      return { kind: 'write', path: need(argument, entry, 'PATH: TEXT'), content: bodyOf(entry) };
    case 'edit':
      return readEdit(entry, need(argument, entry, 'PATH: OLD => NEW'));
    case 'read':
      return { kind: 'read', path: need(argument, entry, 'PATH') };
    case 'run':
      return {
        kind: 'run',
        // A command keeps its backslashes: they mean something to the shell.
        command: need(entry.isInline ? entry.body : bodyOf(entry).trimEnd(), entry, ': COMMAND'),
      };
    case 'say':
      return { kind: 'say', text: trimBlock(bodyOf(entry), entry) };
    case 'thinking':
      return { kind: 'thinking', text: trimBlock(bodyOf(entry), entry) };
    case 'status':
      return readStatus(entry, argument);
    case 'hang':
      return { kind: 'hang', durationMs: readDuration(entry, argument) };
    case 'split':
      return { kind: 'split', sizeBytes: readNumber(entry, argument, /^every (\d+) bytes?$/) };
    case 'slow':
      return {
        kind: 'slow',
        tokensPerSecond: readNumber(entry, argument, /^(\d+(?:\.\d+)?) tok\/s$/),
      };
    case 'cut':
    case 'html':
    case 'empty':
    case 'bad-json':
    case 'bad-input':
    case 'overflow':
      return withoutArgument({ kind: verb });
    default:
      throw new ScriptProblem(line, `"${verb}" is not an action of a rehearsal script.`);
  }
}

function readEdit(entry: Entry, path: string): ScriptAction {
  const body = bodyOf({ ...entry, isInline: false });
  const separator = entry.isInline ? / =>(?: |$)/ : /^=>\n/m;
  const match = separator.exec(body);
  if (match === null) {
    throw new ScriptProblem(entry.line, 'An edit needs "=>" between the old and the new text.');
  }
  const halves = [body.slice(0, match.index), body.slice(match.index + match[0].length)];
  const [oldText = '', newText = ''] = entry.isInline ? halves.map(resolveEscapes) : halves;
  return { kind: 'edit', path, oldText, newText };
}

function readStatus(entry: Entry, argument: string): ScriptAction {
  const match = /^(\d{3})(?:\s+retry-after=(\d+(?:\.\d+)?))?(?:\s+(.*))?$/.exec(argument);
  const status = Number(match?.[1]);
  if (match === null || status < 400 || status > 599) {
    throw new ScriptProblem(entry.line, 'Write it as "status 429 retry-after=2", from 400 to 599.');
  }
  return {
    kind: 'status',
    status,
    retryAfterS: match[2] === undefined ? null : Number(match[2]),
    message: match[3] ?? entry.body ?? `Rehearsed status ${status}.`,
  };
}

function readDuration(entry: Entry, argument: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s)$/.exec(argument);
  if (match === null) {
    throw new ScriptProblem(entry.line, 'Write the duration as "hang 30s" or "hang 500ms".');
  }
  return Number(match[1]) * (match[2] === 's' ? 1000 : 1);
}

function readNumber(entry: Entry, argument: string, pattern: RegExp): number {
  const value = Number(pattern.exec(argument)?.[1]);
  if (!(value > 0)) {
    throw new ScriptProblem(entry.line, 'Write it as "split every 1 byte" or "slow 20 tok/s".');
  }
  return value;
}

function need(value: string | null, entry: Entry, form: string): string {
  if (value === null || value === '') {
    const verb = entry.head.split(/\s/, 1)[0] ?? '';
    throw new ScriptProblem(entry.line, `Something is missing: "${verb} ${form}".`);
  }
  return value;
}

function bodyOf(entry: Entry): string {
  if (entry.body === null) {
    throw new ScriptProblem(entry.line, `Nothing follows "${entry.head}": a colon and a text.`);
  }
  return entry.isInline ? resolveEscapes(entry.body) : entry.body;
}

function trimBlock(text: string, entry: Entry): string {
  return entry.isInline ? text : text.trimEnd();
}

/** \n, \t, \\ as in most languages; any other backslash stays. */
function resolveEscapes(text: string): string {
  return text.replace(/\\([nt\\])/g, (_, letter: string) =>
    letter === 'n' ? '\n' : letter === 't' ? '\t' : '\\',
  );
}
