import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  InsertTextMode,
  type Range,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type ConfigPath, formatPath } from '../../config/configPath.ts';
import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';
import type { ModelsDocument } from '../modelsDocuments.ts';
import { keyKind, valueKind } from '../names/nameUses.ts';
import { keyFacts } from '../schema/keyFacts.ts';
import { readOutline } from '../text/readOutline.ts';
import type { CursorPlace, Span, TextOutline } from '../text/textOutline.ts';
import { keyOffers } from './keyOffers.ts';
import type { Offer } from './offer.ts';
import { referenceOffers, takesReferences } from './referenceOffers.ts';
import { valueOffers } from './valueOffers.ts';
import { yamlWord } from './yamlWord.ts';

export interface CompletionFacts {
  /** The text as it is now. */
  readonly document: TextDocument;
  /** What the configuration says; of an earlier version of the text perhaps. */
  readonly doc: Pick<ModelsDocument, 'loaded'>;
  readonly live: LiveFacts;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What fits at a place of the text, whatever state the text is in. */
interface Fitting {
  readonly as: 'key' | 'value' | 'item';
  readonly path: ConfigPath;
  readonly place: CursorPlace;
  readonly outline: TextOutline;
}

/** Whether names of models may stand at the cursor, so that it is worth asking what is served now. */
export function wantsModels(document: TextDocument, offset: number): boolean {
  const found = fitting(document.getText(), offset);
  if (found === null) return false;
  return found.as === 'key'
    ? ['model', 'pool'].includes(keyKind(found.path) ?? '')
    : valueKind(found.as === 'item' ? [...found.path, 0] : found.path) === 'model';
}

export function completionsAt(facts: CompletionFacts, offset: number): CompletionItem[] {
  const { document, live, env } = facts;
  const text = document.getText();
  const reference = referenceAt(text, offset);
  const found = fitting(text, reference?.start ?? offset);
  if (found === null) return [];
  const { as, path, place, outline } = found;
  const doc = { loaded: facts.doc.loaded, live };
  const rangeOf = ({ start, end }: Span): Range => ({
    start: document.positionAt(start),
    end: document.positionAt(end),
  });
  if (as === 'key') {
    const present = new Set(
      outline.entries
        .filter(({ path: each, key }) => isRightBelow(each, path) && !isSame(key, place.word))
        .map(({ keyText }) => keyText),
    );
    return keyOffers(doc, path, present).map((offer, index) =>
      keyItem(offer, index, place, rangeOf(place.word)),
    );
  }
  const value = as === 'item' ? [...path, 0] : path;
  const references = takesReferences(value) ? referenceOffers(value, env, live) : [];
  if (reference !== null) {
    return references.map((offer, index) => valueItem(offer, index, place, rangeOf(reference), ''));
  }
  const list = typeof value.at(-1) === 'number' ? value.slice(0, -1) : null;
  const present = new Set(
    list === null
      ? []
      : outline.entries
          .filter(
            ({ path: each, value: at }) => isRightBelow(each, list) && !isSame(at, place.word),
          )
          .flatMap(({ scalar }) => scalar ?? []),
  );
  return [...valueOffers(doc, value, present), ...references].map((offer, index) =>
    valueItem(offer, index, place, rangeOf(place.word), as === 'item' ? '- ' : ''),
  );
}

/** Decides, by the schema, what a line that is not finished is to become. */
function fitting(text: string, offset: number): Fitting | null {
  const outline = readOutline(text, offset);
  const place = outline.cursor;
  if (place === null) return null;
  const { kind, path } = place;
  const shape = path.length === 0 ? 'group' : (keyFacts(path)?.shape ?? null);
  if (shape === null) return null;
  const isGroup = shape === 'group' || shape === 'names';
  if (kind === 'key')
    return isGroup || shape === 'textOrNames' ? { as: 'key', path, place, outline } : null;
  if (kind === 'either' && (isGroup || shape === 'textOrNames'))
    return { as: 'key', path, place, outline };
  if (isGroup) return null;
  if (shape === 'list') return kind === 'either' ? { as: 'item', path, place, outline } : null;
  return { as: 'value', path, place, outline };
}

/** The reference that is being typed: from its `$` to its end. */
function referenceAt(text: string, offset: number): Span | null {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const typed = /\$(?:\{[A-Za-z0-9_:.-]*)?$/.exec(text.slice(lineStart, offset));
  if (typed === null) return null;
  const rest = /^[A-Za-z0-9_:.-]*\}?/.exec(text.slice(offset, offset + 200))?.[0] ?? '';
  const isWhole = rest.endsWith('}');
  return { start: lineStart + typed.index, end: offset + (isWhole ? rest.length : 0) };
}

function keyItem(offer: Offer, index: number, place: CursorPlace, range: Range): CompletionItem {
  const { quote, isFlow, hasColon } = place;
  const name = yamlWord(offer.label, quote, isFlow);
  const after = (isFlow ? offer.flow : offer.block) ?? ': $0';
  const space = place.needsSpace ? ' ' : '';
  // What follows the quotes is there already, or is typed by hand.
  const isNameOnly = (hasColon || quote !== null) && offer.kind !== 'entry';
  const newText =
    offer.kind === 'entry' ? after : isNameOnly ? name : `${escapeSnippet(name)}${after}`;
  return {
    ...itemOf(offer, index),
    insertTextFormat: isNameOnly ? InsertTextFormat.PlainText : InsertTextFormat.Snippet,
    insertTextMode: InsertTextMode.adjustIndentation,
    textEdit: { range, newText: `${space}${newText}` },
    ...(offer.asksOn === true && !isNameOnly
      ? { command: { title: 'Suggest', command: 'editor.action.triggerSuggest' } }
      : {}),
  };
}

function valueItem(
  offer: Offer,
  index: number,
  place: CursorPlace,
  range: Range,
  before: string,
): CompletionItem {
  const isText = offer.kind !== 'word';
  const text = offer.label;
  const word = isText || place.quote !== null ? yamlWord(text, place.quote, place.isFlow) : text;
  const space = place.needsSpace ? ' ' : '';
  return {
    ...itemOf(offer, index),
    insertTextFormat: InsertTextFormat.PlainText,
    textEdit: { range, newText: `${space}${before}${word}` },
  };
}

function itemOf(offer: Offer, index: number): CompletionItem {
  const sort = String((offer.rank ?? 0) * 1000 + index).padStart(8, '0');
  return {
    label: offer.label,
    kind: KINDS[offer.kind],
    sortText: sort,
    filterText: offer.label,
    ...(offer.detail === undefined ? {} : { detail: offer.detail }),
    ...(offer.about === undefined ? {} : { documentation: offer.about }),
  };
}

const KINDS: Readonly<Record<Offer['kind'], CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  group: CompletionItemKind.Module,
  word: CompletionItemKind.EnumMember,
  text: CompletionItemKind.Text,
  model: CompletionItemKind.Value,
  endpoint: CompletionItemKind.Reference,
  variable: CompletionItemKind.Variable,
  secret: CompletionItemKind.Constant,
  entry: CompletionItemKind.Snippet,
};

function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

function isRightBelow(path: ConfigPath, group: ConfigPath): boolean {
  return path.length === group.length + 1 && formatPath(path.slice(0, -1)) === formatPath(group);
}

function isSame(a: Span | null, b: Span): boolean {
  return a !== null && a.start <= b.start && b.end <= a.end;
}
