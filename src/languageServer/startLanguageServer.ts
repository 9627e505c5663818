import { createConnection, TextDocuments, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  FORM_CHANGED,
  languageOptionsSchema,
  LIVE_CHANGED,
  LIVE_REQUEST,
  liveRequest,
} from '../protocol/modelsLanguage/requests.ts';
import { DocumentFeed } from './documentFeed.ts';
import { CAPABILITIES, editorFeatures } from './editorFeatures.ts';
import { editRequests } from './editRequests.ts';
import { extensionAnswers } from './extensionAnswers.ts';
import { formRequests } from './form/formRequests.ts';
import { FRESH_MS } from './live/servedFacts.ts';
import { LiveSource } from './live/liveSource.ts';
import { fileOf, ModelsDocuments } from './modelsDocuments.ts';
import { problemDiagnostic } from './problemDiagnostic.ts';
import { referenceHints } from './referenceHints.ts';

/** What is known of the endpoints when a document is opened may be this old. */
const OPENED_MAX_AGE_MS = 60_000;
/** A lens says how old its answer is. */
const LENS_EVERY_MS = 30_000;

/** Serves models.yaml over the channel that the process was started with (`--node-ipc` or `--stdio`). */
export function startLanguageServer(): void {
  const connection = createConnection();
  const documents = new TextDocuments(TextDocument);
  const onTrouble = (error: unknown): void => {
    connection.console.error(
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  };
  let folders: readonly string[] = [];
  let canRefreshLenses = false;

  const live = new LiveSource({
    ask: async (maxAgeMs) =>
      liveRequest.result.parse(
        await connection.sendRequest(LIVE_REQUEST, { max_age_ms: maxAgeMs }),
      ),
    onChange: () => {
      feed.soon();
      refreshLenses();
      again.refresh();
    },
    onTrouble: (error) =>
      connection.console.warn(`What the endpoints say is not known: ${String(error)}`),
  });
  const models = new ModelsDocuments({
    env: process.env,
    openDocuments: () => documents.all(),
    folders: () => folders,
    live: () => live.facts,
  });
  const feed = new DocumentFeed({
    documents: () => documents.all(),
    diagnose: (document) => {
      const doc = models.read(document);
      if (doc === null) return [];
      return [
        ...doc.problems.map((problem) => problemDiagnostic(doc, problem)),
        ...referenceHints(doc, process.env),
      ];
    },
    send: ({ uri, version }, diagnostics) =>
      void connection
        .sendDiagnostics({ uri, version, diagnostics: [...diagnostics] })
        .catch(onTrouble),
    formChanged: (uri) => void connection.sendNotification(FORM_CHANGED, { uri }).catch(onTrouble),
    onTrouble,
  });
  const refreshLenses = (): void => {
    if (canRefreshLenses && documents.all().length > 0) {
      connection.sendRequest('workspace/codeLens/refresh').catch(onTrouble);
    }
  };
  // An answer of the endpoints that is too old to rest a warning on takes the warning with it.
  const again = setTimeout(() => feed.soon(), FRESH_MS + 1000);
  again.unref();
  setInterval(() => {
    if (live.facts.asked_at !== null) refreshLenses();
  }, LENS_EVERY_MS).unref();

  connection.onInitialize(({ initializationOptions, capabilities }) => {
    folders = languageOptionsSchema.parse(initializationOptions).folders;
    canRefreshLenses = capabilities.workspace?.codeLens?.refreshSupport === true;
    return {
      serverInfo: { name: 'Delegation Bridge models.yaml' },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
        ...CAPABILITIES,
      },
    };
  });
  connection.onNotification(
    'workspace/didChangeWorkspaceFolders',
    ({ event }: { event: { added: { uri: string }[]; removed: { uri: string }[] } }) => {
      const gone = event.removed.map((each) => fileOf(each));
      const added = event.added.flatMap((each) => fileOf(each) ?? []);
      folders = [...folders.filter((each) => !gone.includes(each)), ...added];
      feed.soon();
    },
  );
  connection.onDidChangeWatchedFiles(() => feed.soon());
  connection.onNotification(LIVE_CHANGED, () => void live.changed());
  documents.onDidOpen(() => {
    feed.now();
    void live.refresh(OPENED_MAX_AGE_MS);
  });
  documents.onDidChangeContent(() => feed.soon());
  documents.onDidSave(() => feed.soon());
  documents.onDidClose(({ document }) => {
    void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }).catch(onTrouble);
    feed.soon();
  });

  const open = (uri: string): TextDocument | undefined => documents.get(uri);
  const answers = extensionAnswers(connection);
  editRequests(answers, models, open);
  formRequests(answers, models, open);
  editorFeatures(connection, { models, live, open, env: process.env });
  documents.listen(connection);
  connection.listen();
}
