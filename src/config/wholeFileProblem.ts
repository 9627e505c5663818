import type { ConfigProblem } from './problem.ts';

/** An error that has no place in a text: of a whole file, or of a variable (`file` is then `$NAME`). */
export function wholeFileProblem(file: string, code: string, message: string): ConfigProblem {
  const nowhere = { line: 0, column: 0, endLine: 0, endColumn: 0 };
  return { file, ...nowhere, severity: 'error', code, path: '', message, suggestion: null };
}
