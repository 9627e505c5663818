import type { Connection, ServerCapabilities } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LiveSource } from './live/liveSource.ts';
import type { ModelsDocuments } from './modelsDocuments.ts';

export interface FeatureServices {
  readonly models: ModelsDocuments;
  readonly live: LiveSource;
  readonly open: (uri: string) => TextDocument | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const CAPABILITIES: ServerCapabilities = {};

/** What an editor asks about a models.yaml. */
export function editorFeatures(_connection: Connection, _services: FeatureServices): void {}
