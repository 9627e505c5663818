import type { Connection } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { LANGUAGE_REQUESTS } from '../../protocol/modelsLanguage/requests.ts';
import type { ModelsDocument, ModelsDocuments } from '../modelsDocuments.ts';
import { formFields } from './formFields.ts';
import { formState } from './formState.ts';

export interface FormServices {
  readonly models: ModelsDocuments;
  /** The open document of this URI; undefined: none. */
  readonly document: (uri: string) => TextDocument | undefined;
}

/** Answers what the registry form asks about its document. */
export function serveForm(connection: Connection, services: FormServices): void {
  const { models } = services;
  const read = (uri: string): ModelsDocument | null => {
    const document = services.document(uri);
    return document === undefined ? null : models.read(document);
  };

  const fields = LANGUAGE_REQUESTS['delegationBridge/formFields'];
  connection.onRequest('delegationBridge/formFields', (params: unknown) => {
    fields.params.parse(params);
    return formFields();
  });

  const state = LANGUAGE_REQUESTS['delegationBridge/formState'];
  connection.onRequest('delegationBridge/formState', (params: unknown) => {
    const found = read(state.params.parse(params).uri);
    if (found === null) return null;
    return formState(found, { inherited: models.loadWithout(found).config, fixesOf: () => [] });
  });
}
