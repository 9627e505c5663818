import { isMap, isScalar, visit } from 'yaml';
import type { ConfigProblem } from '../config/problem.ts';
import type { TextChange } from '../protocol/modelsLanguage/configEdit.ts';
import type { ModelsDocument } from './modelsDocuments.ts';
import { problemRange } from './problemDiagnostic.ts';

/** Fixes of a text that cannot be edited by keys yet, because it is no proper YAML. */
export function textFixes(
  doc: ModelsDocument,
  problem: ConfigProblem,
): { title: string; changes: TextChange[] }[] {
  if (problem.code === 'tab') {
    const changes = tabsToSpaces(doc);
    return changes.length === 0
      ? []
      : [{ title: 'Use spaces instead of tabs for indentation', changes }];
  }
  return problem.code === 'duplicate_key' ? withoutDuplicate(doc, problem) : [];
}

function tabsToSpaces({ document }: ModelsDocument): TextChange[] {
  const lines = document.getText().split('\n');
  return lines.flatMap((text, line) => {
    const indentation = /^[ \t]*/.exec(text)?.[0] ?? '';
    if (!indentation.includes('\t')) return [];
    return [
      {
        range: { start: { line, character: 0 }, end: { line, character: indentation.length } },
        newText: indentation.replaceAll('\t', '  '),
      },
    ];
  });
}

/** Takes the second of two equal keys away, with all its lines; only in block style, where those are its own. */
function withoutDuplicate(
  doc: ModelsDocument,
  problem: ConfigProblem,
): { title: string; changes: TextChange[] }[] {
  const { document, outline } = doc;
  const start = document.offsetAt(problemRange(problem).start);
  const entry = outline.entries.find(({ key }) => key?.start === start);
  if (entry === undefined || entry.isFlow || !isDuplicate(doc, start)) return [];
  const text = document.getText();
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  // On a line with something else (`- key: …`) it is not taken out by lines.
  if (text.slice(lineStart, start).trim() !== '') return [];
  const lineEnd = text.indexOf('\n', entry.end);
  const end = lineEnd < 0 ? text.length : lineEnd + 1;
  return [
    {
      title: `Remove the second "${entry.keyText}"`,
      changes: [
        {
          range: { start: document.positionAt(lineStart), end: document.positionAt(end) },
          newText: '',
        },
      ],
    },
  ];
}

/** As the parser sees it, too. */
function isDuplicate({ parsed }: ModelsDocument, keyStart: number): boolean {
  let isFound = false;
  visit(parsed.document, {
    Map(_key, map) {
      if (!isMap(map)) return;
      const at = map.items.find(({ key }) => isScalar(key) && key.range?.[0] === keyStart);
      if (at === undefined || !isScalar(at.key)) return;
      const name = String(at.key.value);
      isFound =
        map.items.filter(({ key }) => isScalar(key) && String(key.value) === name).length > 1;
      return visit.BREAK;
    },
  });
  return isFound;
}
