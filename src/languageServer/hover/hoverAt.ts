import type { Hover } from 'vscode-languageserver/node';
import { escapeMarkdown } from '../../base/markdownText.ts';
import type { ModelsDocument } from '../modelsDocuments.ts';
import { nameAt, nameUses } from '../names/nameUses.ts';
import { keyLines } from './keyLines.ts';
import { endpointLines, modelLines, poolLines } from './nameLines.ts';
import { referenceLines } from './referenceLines.ts';

export interface HoverFacts {
  readonly doc: ModelsDocument;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: number;
}

/** What is under the cursor: a reference, a name with its live state, or a key with its description. Never a value of a secret. */
export function hoverAt(facts: HoverFacts, offset: number): Hover | null {
  const { doc } = facts;
  if (!doc.isOurs) return null;
  const { document, outline } = doc;
  const text = document.getText();
  const hover = (span: { start: number; end: number }, lines: readonly string[]): Hover | null =>
    lines.length === 0
      ? null
      : {
          contents: { kind: 'markdown', value: lines.join('\n\n') },
          range: { start: document.positionAt(span.start), end: document.positionAt(span.end) },
        };
  const reference = referenceUnder(text, offset);
  if (reference !== null) return hover(reference, referenceLines(facts, reference.name));
  const use = nameAt(nameUses(text, outline), offset);
  if (use !== null) {
    const about = {
      endpoint: () => endpointLines(facts, use.name),
      model: () => modelLines(facts, use.name),
      pool: () => poolLines(facts, use.name),
      gate: () => keyLines(facts, use.path),
    }[use.kind]();
    return hover(use.span, [`**${escapeMarkdown(use.name)}**`, ...about]);
  }
  const entry = outline.entries.findLast(
    ({ key }) => key !== null && key.start <= offset && offset <= key.end,
  );
  if (entry === undefined || entry.key === null) return null;
  return hover(entry.key, keyLines(facts, entry.path));
}

function referenceUnder(
  text: string,
  offset: number,
): { start: number; end: number; name: string } | null {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
  for (const found of line.matchAll(/\$\{((?:env|secret):[A-Za-z0-9_.-]+)\}/g)) {
    const start = lineStart + found.index;
    const end = start + found[0].length;
    if (start <= offset && offset <= end) return { start, end, name: found[1] ?? '' };
  }
  return null;
}
