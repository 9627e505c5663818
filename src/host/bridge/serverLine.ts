/** One line of a server's stderr. */
export interface ServerLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
}

const MAX_LENGTH = 4000;

/**
 * Reads what the server logs, one JSON object with `level`, `component` and `message` per line. Anything else, such as
 * the words of a Node that could not even start it, is taken as it is. Long lines are cut.
 */
export function parseServerLine(line: string): ServerLine {
  const record = parseRecord(line);
  const message = record?.['message'];
  if (typeof message !== 'string') return { level: 'info', text: cut(line.trim()) };
  const component = record?.['component'];
  const text = typeof component === 'string' ? `${component}: ${message}` : message;
  return { level: levelOf(record?.['level']), text: cut(text) };
}

function levelOf(word: unknown): ServerLine['level'] {
  if (word === 'warning') return 'warn';
  return word === 'error' ? 'error' : 'info';
}

function parseRecord(line: string): Readonly<Record<string, unknown>> | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text;
}
