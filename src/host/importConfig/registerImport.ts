import type * as vscode from 'vscode';
import { registerCommand } from '../../contributions.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { importCommand } from './importCommand.ts';
import { ImportDocuments } from './importDocuments.ts';
import { ImportReview } from './importReview.ts';
import { readImportChoice } from './readImportChoice.ts';

/** Taking endpoints over from other tools. */
export function registerImport(parts: HostParts): vscode.Disposable[] {
  const documents = new ImportDocuments();
  const review = new ImportReview();
  return [
    documents,
    review,
    registerCommand(
      'importConfig',
      reportFailures(parts, (argument: unknown) =>
        importCommand(parts, { documents, review }, readImportChoice(argument)),
      ),
    ),
    registerCommand('applyImport', () => review.decide('apply')),
    registerCommand('cancelImport', () => review.decide('cancel')),
  ];
}
