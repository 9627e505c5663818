import {
  type Connection,
  ErrorCodes,
  type Position,
  ResponseError,
  type ServerCapabilities,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { codeActions } from './codeActions.ts';
import { codeLenses } from './codeLenses.ts';
import { completionsAt, wantsModels } from './completion/completionsAt.ts';
import { documentSymbols } from './documentSymbols.ts';
import { hoverAt } from './hover/hoverAt.ts';
import type { LiveSource } from './live/liveSource.ts';
import type { ModelsDocument, ModelsDocuments } from './modelsDocuments.ts';
import { namePlaces } from './names/namePlaces.ts';
import { nameAt, type NameUse, nameUses } from './names/nameUses.ts';
import { renameName, whyFixed } from './names/renameName.ts';

/** What is served now may have changed since; what was asked this long ago still counts as now. */
const PROBED_MAX_AGE_MS = 10_000;
/** Nobody waits longer for a list of words; what is known by then is shown. */
const PROBE_WAIT_MS = 1500;

export interface FeatureServices {
  readonly models: ModelsDocuments;
  readonly live: LiveSource;
  readonly open: (uri: string) => TextDocument | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Formatting is not among them: it is left alone. */
export const CAPABILITIES: ServerCapabilities = {
  completionProvider: { triggerCharacters: [':', ' ', '$', '{', '[', ',', '"', "'"] },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  documentSymbolProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix'] },
  codeLensProvider: {},
  renameProvider: { prepareProvider: true },
};

/** What an editor asks about a models.yaml. A handler that throws answers with an error; the process goes on. */
export function editorFeatures(connection: Connection, services: FeatureServices): void {
  const { models, live, open, env } = services;
  const read = (uri: string): ModelsDocument | null => {
    const document = open(uri);
    const doc = document === undefined ? null : models.read(document);
    return doc?.isOurs === true ? doc : null;
  };
  const named = (uri: string, position: Position): { doc: ModelsDocument; use: NameUse } | null => {
    const doc = read(uri);
    if (doc === null) return null;
    const offset = doc.document.offsetAt(position);
    const use = nameAt(nameUses(doc.document.getText(), doc.outline), offset);
    return use === null ? null : { doc, use };
  };

  connection.onCompletion(async ({ textDocument, position }) => {
    const document = open(textDocument.uri);
    const doc = document === undefined ? null : models.recent(document);
    if (document === undefined || doc?.isOurs !== true) return null;
    // The document is the same object in every version.
    const { version } = document;
    const offset = document.offsetAt(position);
    const isNow =
      !wantsModels(document, offset) || (await live.within(PROBED_MAX_AGE_MS, PROBE_WAIT_MS));
    // Meanwhile somebody has typed on: the editor asks again by itself.
    const now = open(textDocument.uri);
    if (now?.version !== version) return { isIncomplete: true, items: [] };
    const items = completionsAt({ document, doc, live: live.facts, env }, offset);
    return { isIncomplete: !isNow, items };
  });
  connection.onHover(({ textDocument, position }) => {
    const doc = read(textDocument.uri);
    if (doc === null) return null;
    return hoverAt({ doc, env, nowMs: Date.now() }, doc.document.offsetAt(position));
  });
  connection.onDefinition(({ textDocument, position }) => {
    const found = named(textDocument.uri, position);
    if (found === null) return null;
    const places = namePlaces(models.filesWith(found.doc), found.use);
    return places
      .filter(({ isDefinition }) => isDefinition)
      .map(({ uri, range }) => ({ uri, range }));
  });
  connection.onReferences(({ textDocument, position, context }) => {
    const found = named(textDocument.uri, position);
    if (found === null) return null;
    return namePlaces(models.filesWith(found.doc), found.use)
      .filter(({ isDefinition }) => context.includeDeclaration || !isDefinition)
      .map(({ uri, range }) => ({ uri, range }));
  });
  connection.onDocumentHighlight(({ textDocument, position }) => {
    const found = named(textDocument.uri, position);
    if (found === null) return null;
    const { uri, version } = found.doc.document;
    const own = { uri, version, text: found.doc.document.getText() };
    return namePlaces([own], found.use).map(({ range }) => ({ range }));
  });
  connection.onPrepareRename(({ textDocument, position }) => {
    const found = named(textDocument.uri, position);
    if (found === null) return null;
    const { doc, use } = found;
    const fixed = whyFixed(use);
    if (fixed !== null) throw new ResponseError(ErrorCodes.InvalidRequest, fixed);
    const range = {
      start: doc.document.positionAt(use.span.start),
      end: doc.document.positionAt(use.span.end),
    };
    return { range, placeholder: use.name };
  });
  connection.onRenameRequest(({ textDocument, position, newName }) => {
    const found = named(textDocument.uri, position);
    if (found === null) {
      throw new ResponseError(ErrorCodes.InvalidRequest, 'Nothing here has a name to change.');
    }
    const answer = renameName(models.filesWith(found.doc), found.use, newName);
    if (!answer.isOk) throw new ResponseError(ErrorCodes.InvalidRequest, answer.message);
    return { documentChanges: answer.edits };
  });
  connection.onDocumentSymbol(({ textDocument }) => {
    const doc = read(textDocument.uri);
    return doc === null ? null : documentSymbols(doc);
  });
  connection.onCodeAction(({ textDocument, range }) => {
    const doc = read(textDocument.uri);
    return doc === null ? null : codeActions(doc, range);
  });
  connection.onCodeLens(({ textDocument }) => {
    const doc = read(textDocument.uri);
    return doc === null ? null : codeLenses(doc, Date.now());
  });
}
