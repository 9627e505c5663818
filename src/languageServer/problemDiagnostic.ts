import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  type Range,
} from 'vscode-languageserver/node';
import { formatPath, parsePath } from '../config/configPath.ts';
import { isSameServer } from '../config/serverRoot.ts';
import type { ConfigProblem } from '../config/problem.ts';
import { problemText } from '../config/problemText.ts';
import type { ModelsDocument } from './modelsDocuments.ts';
import { spanOfPath } from './spanOfPath.ts';
import type { Span } from './text/textOutline.ts';

/** Who says what the server and the command line say as well. */
const PROBLEM_SOURCE = 'delegation-bridge';

/** A problem as editors show it; the words are those of the server and the command line. */
export function problemDiagnostic(
  doc: ModelsDocument,
  problem: ConfigProblem,
): Diagnostic & { message: string } {
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
  const rangeOf = ({ start, end }: Span): Range => ({
    start: document.positionAt(start),
    end: document.positionAt(end),
  });
  if (problem.code === 'duplicate_key') {
    const start = document.offsetAt(problemRange(problem).start);
    const second = doc.outline.entries.find(({ key }) => key?.start === start);
    const first = doc.outline.entries.find(
      ({ key, path }) =>
        key !== null &&
        key.start < start &&
        second !== undefined &&
        formatPath(path) === formatPath(second.path),
    );
    if (first === undefined) return [];
    return [at(rangeOf(first.key ?? first.value), 'the first one')];
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
      return [at(rangeOf(span), `"${other}" has the same address`)];
    });
}

function isTwin(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && isSameServer(a, b);
}
