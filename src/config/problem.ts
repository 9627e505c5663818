import { problemText } from './problemText.ts';

/** One thing wrong with the configuration, at a place that an editor can jump to. Lines and columns count from 1. */
export interface ConfigProblem {
  /** Path of the file as it was opened, or `environment`. */
  readonly file: string;
  /** 0: the problem has no place in a text (an environment variable, a missing file). */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: 'error' | 'warning';
  /** Stable word for code to branch on, such as `unknown_key`. */
  readonly code: string;
  /** Key concerned, as formatPath() writes it; empty for the whole file. */
  readonly path: string;
  readonly message: string;
  /** What to write instead, exactly; null when there is no single answer. */
  readonly suggestion: string | null;
}

/** `models.yaml:12:3: unknown key "endpoint" - did you mean "endpoints"?` */
export function formatProblem(problem: ConfigProblem): string {
  const place =
    problem.line > 0 ? `${problem.file}:${problem.line}:${problem.column}` : problem.file;
  return `${place}: ${problemText(problem)}`;
}
