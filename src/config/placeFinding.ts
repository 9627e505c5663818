import type { Document, LineCounter } from 'yaml';
import { formatPath } from './configPath.ts';
import type { Finding } from './describeIssue.ts';
import { NO_RANGE, rangeOf } from './documentRanges.ts';
import type { ConfigProblem } from './problem.ts';

/** A finding as a problem at its place in a document; `document` null: it has no place in a text. */
export function placeFinding(
  finding: Finding & { readonly severity: 'error' | 'warning' },
  file: string,
  document: Document.Parsed | null,
  lines: LineCounter | null,
): ConfigProblem {
  const { at, path, ...rest } = finding;
  const range = document !== null && lines !== null ? rangeOf(document, lines, path, at) : NO_RANGE;
  return { file, ...range, ...rest, path: formatPath(path) };
}
