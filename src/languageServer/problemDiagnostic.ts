import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import type { ConfigProblem } from '../config/problem.ts';

/** A problem as editors show it; the words are those of the server and the command line. */
export function problemDiagnostic(problem: ConfigProblem): Diagnostic {
  const { line, column, endLine, endColumn, severity, code, message, suggestion } = problem;
  const hint = suggestion === null ? '' : ` - did you mean "${suggestion}"?`;
  return {
    range: {
      start: { line: Math.max(line - 1, 0), character: Math.max(column - 1, 0) },
      end: { line: Math.max(endLine - 1, 0), character: Math.max(endColumn - 1, 0) },
    },
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: 'delegation-bridge',
    code,
    message: `${message}${hint}`,
  };
}
