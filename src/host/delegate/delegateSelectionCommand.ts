import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { HostParts } from '../hostParts.ts';
import type { Attachment } from './attachment.ts';
import { delegateFlow } from './delegateFlow.ts';
import { documentExcerpt } from './documentExcerpt.ts';
import { todoText } from './findTodos.ts';
import { folderOf } from './folderOf.ts';
import { guardedExcerpts } from './guardedExcerpts.ts';
import type { KeptDelegations } from './keptDelegations.ts';
import { selectionAttachment } from './selectionAttachment.ts';
import type { TodoPlace } from './todoLenses.ts';

/** Lines after a TODO that are sent along: what it is about mostly stands below it. */
const LINES_BELOW = 12;

/** Hands over the selected lines, or the TODO above which a lens was clicked. */
export async function delegateSelectionCommand(
  [place]: readonly unknown[],
  parts: HostParts,
  kept: KeptDelegations,
): Promise<string | undefined> {
  const found = isTodo(place) ? await todoAttachment(place) : selected();
  const cwd = folderOf(found.uri);
  const attachments = await guardedExcerpts(found.uri, cwd, [found.attachment(cwd)], parts);
  return attachments.length === 0 ? undefined : delegateFlow(parts, kept, { cwd, attachments });
}

interface Found {
  readonly uri: vscode.Uri;
  readonly attachment: (cwd: string | null) => Attachment;
}

function selected(): Found {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty)
    throw new BridgeError('bad_argument', 'Nothing is selected.', {
      hint: 'Select the lines that the task is about, or use "Delegate File".',
    });
  return {
    uri: editor.document.uri,
    attachment: (cwd) => selectionAttachment(editor, cwd) as Attachment,
  };
}

async function todoAttachment({ uri, line }: TodoPlace): Promise<Found> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const at = Math.min(Math.max(0, line), document.lineCount - 1);
  return {
    uri: document.uri,
    attachment: (cwd) => ({
      kind: 'todo',
      ...documentExcerpt(document, cwd, at, at + LINES_BELOW),
      comment: todoText(document.lineAt(at).text),
    }),
  };
}

function isTodo(value: unknown): value is TodoPlace {
  const { kind, uri, line } = (value ?? {}) as Partial<TodoPlace>;
  return kind === 'todo' && typeof uri === 'string' && typeof line === 'number';
}
