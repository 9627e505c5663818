import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver/node';
import { formatPath } from '../config/configPath.ts';
import { schemaAt } from '../config/schemaWalk.ts';
import type { ModelsDocument } from './modelsDocuments.ts';
import type { OutlineEntry } from './text/textOutline.ts';

/** Sections and their entries; what is deeper is no place that anybody looks for. */
const MAX_DEPTH = 3;

export function documentSymbols({ document, outline, isOurs }: ModelsDocument): DocumentSymbol[] {
  if (!isOurs) return [];
  const roots: DocumentSymbol[] = [];
  const byPath = new Map<string, DocumentSymbol>();
  for (const entry of outline.entries) {
    if (entry.key === null || entry.path.length > MAX_DEPTH || entry.keyText.trim() === '')
      continue;
    const symbol: DocumentSymbol = {
      name: entry.keyText,
      detail: detailOf(entry),
      kind: kindOf(entry),
      range: {
        start: document.positionAt(entry.key.start),
        end: document.positionAt(Math.max(entry.end, entry.key.end)),
      },
      selectionRange: {
        start: document.positionAt(entry.key.start),
        end: document.positionAt(entry.key.end),
      },
      children: [],
    };
    byPath.set(formatPath(entry.path), symbol);
    const parent = byPath.get(formatPath(entry.path.slice(0, -1)));
    if (entry.path.length === 1) roots.push(symbol);
    else parent?.children?.push(symbol);
  }
  return roots;
}

function kindOf({ path }: OutlineEntry): SymbolKind {
  if (path.length === 1) return SymbolKind.Namespace;
  return path.length === 2 ? SymbolKind.Object : SymbolKind.Property;
}

/** Nothing long, nothing that may be a key, and nothing that stands where the schema knows no key. */
function detailOf({ path, scalar }: OutlineEntry): string {
  const isShown = path[0] !== 'endpoints' && path[0] !== 'router' && schemaAt(path) !== null;
  return isShown && scalar !== null && scalar.length <= 40 ? scalar : '';
}
