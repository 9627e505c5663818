import type * as vscode from 'vscode';
import type { Attachment } from './attachment.ts';
import { documentExcerpt } from './documentExcerpt.ts';

const LINES_AROUND = 3;
/** A file with more problems has one cause for many of them. */
const MAX_PROBLEMS = 20;
const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
const MAX_MESSAGE = 2_000;

type Problem = Extract<Attachment, { kind: 'problem' }>;

/** Problems of a document with the lines around them: the worst first, no more than a brief can bear. */
export function problemAttachments(
  document: vscode.TextDocument,
  cwd: string | null,
  diagnostics: readonly vscode.Diagnostic[],
): Problem[] {
  return [...diagnostics]
    .sort((a, b) => a.severity - b.severity || a.range.start.compareTo(b.range.start))
    .slice(0, MAX_PROBLEMS)
    .map(({ range, severity, source, code, message }) => ({
      kind: 'problem',
      ...documentExcerpt(
        document,
        cwd,
        Math.max(0, range.start.line - LINES_AROUND),
        range.end.line + LINES_AROUND,
      ),
      line: range.start.line + 1,
      column: range.start.character + 1,
      severity: SEVERITIES[severity],
      source: [source ?? '', codeOf(code)].filter((part) => part !== '').join(' '),
      message: message.slice(0, MAX_MESSAGE),
    }));
}

function codeOf(code: vscode.Diagnostic['code']): string {
  if (code === undefined) return '';
  return String(typeof code === 'object' ? code.value : code);
}
