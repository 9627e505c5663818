import { type CodeAction, CodeActionKind, type Range } from 'vscode-languageserver/node';
import type { ConfigProblem } from '../config/problem.ts';
import { changesOf } from './changesOf.ts';
import type { ModelsDocument } from './modelsDocuments.ts';
import { problemDiagnostic, problemRange } from './problemDiagnostic.ts';
import { problemFixes } from './problemFixes.ts';
import { textFixes } from './textFixes.ts';

/** Of the extension; its arguments are the URI, the path of the key and the name to keep it under. */
const MOVE_SECRET_COMMAND = 'delegationBridge.moveSecret';

/** What puts the problems in a range right. */
export function codeActions(doc: ModelsDocument, range: Range): CodeAction[] {
  const actions = doc.problems
    .filter((problem) => touches(problemRange(problem), range))
    .flatMap((problem) => actionsOf(doc, problem));
  // One change may put several problems right, such as the tabs of all lines.
  const byWhat = new Map<string, CodeAction>();
  for (const action of actions) {
    const { title, edit, command } = action;
    const what = JSON.stringify([title, edit, command]);
    const known = byWhat.get(what);
    const diagnostics = [...(known?.diagnostics ?? []), ...(action.diagnostics ?? [])];
    byWhat.set(what, { ...action, diagnostics });
  }
  return [...byWhat.values()];
}

function actionsOf(doc: ModelsDocument, problem: ConfigProblem): CodeAction[] {
  const { document } = doc;
  const diagnostics = [problemDiagnostic(doc, problem)];
  const actions: CodeAction[] = [];
  for (const fix of problemFixes(doc, problem)) {
    const common = { title: fix.title, kind: CodeActionKind.QuickFix, diagnostics };
    if ('moveSecret' in fix) {
      const { path, name } = fix.moveSecret;
      actions.push({
        ...common,
        command: {
          title: fix.title,
          command: MOVE_SECRET_COMMAND,
          arguments: [document.uri, path, name],
        },
      });
      continue;
    }
    const result = changesOf(document, fix.edits);
    // A fix that cannot be made is not offered.
    if (result.kind === 'refused' || result.changes.length === 0) continue;
    actions.push({ ...common, edit: { changes: { [document.uri]: result.changes } } });
  }
  for (const { title, changes } of textFixes(doc, problem)) {
    const kind = CodeActionKind.QuickFix;
    actions.push({ title, kind, diagnostics, edit: { changes: { [document.uri]: changes } } });
  }
  return actions.map((action) =>
    actions.length === 1 ? { ...action, isPreferred: true } : action,
  );
}

function touches(a: Range, b: Range): boolean {
  return isBefore(a.start, b.end) && isBefore(b.start, a.end);
}

function isBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}
