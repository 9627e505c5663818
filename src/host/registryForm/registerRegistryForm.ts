import * as vscode from 'vscode';
import { EDITORS } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { RegistryForms } from './registryForms.ts';

/** models.yaml as a form. */
export function registerRegistryForm(parts: HostParts): vscode.Disposable[] {
  const forms = new RegistryForms(parts);
  return [
    forms,
    vscode.window.registerCustomEditorProvider(EDITORS.models, forms, {
      webviewOptions: { enableFindWidget: true },
    }),
  ];
}
