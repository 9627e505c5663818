import { createConnection, TextDocuments, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { languageOptionsSchema, LIVE_CHANGED } from '../protocol/modelsLanguage/requests.ts';
import { serveForm } from './form/serveForm.ts';
import { problemDiagnostic } from './problemDiagnostic.ts';
import { ModelsDocuments } from './modelsDocuments.ts';

/** Serves models.yaml over the channel that the process was started with (`--node-ipc` or `--stdio`). */
export function startLanguageServer(): void {
  const connection = createConnection();
  const documents = new TextDocuments(TextDocument);
  let folders: readonly string[] = [];
  const models = new ModelsDocuments({
    env: process.env,
    openDocuments: () => documents.all(),
    folders: () => folders,
  });

  connection.onInitialize(({ initializationOptions }) => {
    folders = languageOptionsSchema.parse(initializationOptions).folders;
    return {
      serverInfo: { name: 'Delegation Bridge models.yaml' },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
      },
    };
  });

  const tell = (): void => {
    for (const document of documents.all()) {
      const read = models.read(document);
      void connection.sendDiagnostics({
        uri: document.uri,
        version: document.version,
        diagnostics: (read?.problems ?? []).map(problemDiagnostic),
      });
    }
  };
  documents.onDidChangeContent(tell);
  documents.onDidClose(({ document }) => {
    void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
    tell();
  });
  connection.onNotification(LIVE_CHANGED, tell);
  serveForm(connection, { models, document: (uri) => documents.get(uri) });
  documents.listen(connection);
  connection.listen();
}
