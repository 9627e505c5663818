import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  type Range,
} from 'vscode-languageserver/node';
import { parsePath } from '../config/configPath.ts';
import { isSameServer } from '../config/serverRoot.ts';
import type { ConfigProblem } from '../config/problem.ts';
import { problemText } from '../config/problemText.ts';
import type { ModelsDocument } from './modelsDocuments.ts';
import { spanOfPath } from './spanOfPath.ts';

/** Who says what the server and the command line say as well. */
export const PROBLEM_SOURCE = 'delegation-bridge';

/** A problem as editors show it; the words are those of the server and the command line. */
export function problemDiagnostic(doc: ModelsDocument, problem: ConfigProblem): Diagnostic {
  const { severity, code } = problem;
  const related = relatedOf(doc, problem);
  return {
    range: problemRange(problem),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: PROBLEM_SOURCE,
    code,
    message: problemText(problem),
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
}

/** From 1 to 0, as LSP counts; what has no place in the text is shown at its start. */
export function problemRange({ line, column, endLine, endColumn }: ConfigProblem): Range {
  return {
    start: { line: Math.max(line - 1, 0), character: Math.max(column - 1, 0) },
    end: { line: Math.max(endLine - 1, 0), character: Math.max(endColumn - 1, 0) },
  };
}

/** The other of two places that do not go together. */
function relatedOf(doc: ModelsDocument, problem: ConfigProblem): DiagnosticRelatedInformation[] {
  const { document } = doc;
  const at = (range: Range, message: string): DiagnosticRelatedInformation => ({
    location: { uri: document.uri, range },
    message,
  });
  if (problem.code === 'duplicate_key') {
    const key = document.getText(problemRange(problem));
    const first = /is on line (\d+) and again/.exec(problem.message)?.[1];
    if (first === undefined) return [];
    const line = Number(first) - 1;
    const start = document.offsetAt({ line, character: 0 });
    const column = Math.max(document.getText().indexOf(key, start) - start, 0);
    const range = {
      start: { line, character: column },
      end: { line, character: column + key.length },
    };
    return [at(range, 'the first one')];
  }
  if (problem.code !== 'same_endpoint') return [];
  const name = parsePath(problem.path)?.[1];
  const endpoints = doc.parsed.parts.endpoints ?? {};
  const own = doc.loaded.config.endpoints;
  const url = endpoints[String(name)]?.base_url;
  return Object.entries({ ...own, ...endpoints })
    .filter(([other, { base_url }]) => other !== name && isTwin(base_url, url))
    .flatMap(([other]) => {
      const span = spanOfPath(doc.outline, ['endpoints', other, 'base_url']);
      if (span === null) return [];
      const range = { start: document.positionAt(span.start), end: document.positionAt(span.end) };
      return [at(range, `"${other}" has the same address`)];
    });
}

function isTwin(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && isSameServer(a, b);
}
