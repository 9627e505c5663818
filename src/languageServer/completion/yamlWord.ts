import { parse } from 'yaml';

/** A text as it is written at a place; quoted where the plain word would say something else. `quote`: it stands between these already. */
export function yamlWord(text: string, quote: '"' | "'" | null, isFlow: boolean): string {
  if (quote === "'") return text.replaceAll("'", "''");
  if (quote === '"') return JSON.stringify(text).slice(1, -1);
  return saysItself(text, isFlow) ? text : JSON.stringify(text);
}

function saysItself(text: string, isFlow: boolean): boolean {
  if (text === '' || /[\r\n]/.test(text)) return false;
  try {
    const read: unknown = parse(isFlow ? `[${text}]` : `a: ${text}`, { logLevel: 'silent' });
    const value: unknown = isFlow
      ? (read as unknown[]).length === 1 && (read as unknown[])[0]
      : (read as { a: unknown }).a;
    return value === text;
  } catch (error) {
    // YAML's errors have no class of their own that every release exports.
    if (error instanceof Error) return false;
    throw error;
  }
}
