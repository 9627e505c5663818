import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { HostParts } from '../hostParts.ts';
import type { Attachment } from './attachment.ts';
import { cutHead } from './cutText.ts';
import { fileAttachment } from './fileAttachment.ts';
import { guardedExcerpts } from './guardedExcerpts.ts';
import { problemAttachments } from './problemAttachments.ts';
import { selectionAttachment } from './selectionAttachment.ts';
import type { Addition } from './whatRows.ts';

/** Longest brief that is kept as a draft. */
const MAX_BRIEF = 200_000;

/** What a row of the step What adds; nothing when the person thinks better of it. */
export async function takeAttachments(
  what: Addition,
  cwd: string | null,
  parts: Pick<HostParts, 'link'>,
): Promise<readonly Attachment[]> {
  const editor = vscode.window.activeTextEditor;
  switch (what) {
    case 'selection': {
      const selected = editor === undefined ? null : selectionAttachment(editor, cwd);
      if (editor === undefined || selected === null) return [];
      return guardedExcerpts(editor.document.uri, cwd, [selected], parts);
    }
    case 'problems': {
      if (editor === undefined) return [];
      const { document } = editor;
      const problems = vscode.languages.getDiagnostics(document.uri);
      const attachments = problemAttachments(document, cwd, problems);
      return guardedExcerpts(document.uri, cwd, attachments, parts);
    }
    case 'file':
      return editor === undefined ? [] : fileAttachments([editor.document.uri], cwd, parts);
    case 'other-file': {
      const chosen = await vscode.window.showOpenDialog({
        title: 'Add Files to the Brief',
        openLabel: 'Add',
        canSelectMany: true,
        ...(cwd === null ? {} : { defaultUri: vscode.Uri.file(cwd) }),
      });
      return fileAttachments(chosen ?? [], cwd, parts);
    }
    case 'clipboard-output': {
      return [{ kind: 'output', ...cutHead(await clipboardText()) }];
    }
    case 'clipboard-brief': {
      const text = await clipboardText();
      if (text.length > MAX_BRIEF)
        throw new BridgeError('bad_argument', `The clipboard has ${text.length} characters.`, {
          hint: 'Put long material in a file of the repository, and name that in the brief.',
        });
      return [{ kind: 'brief', text: text.replace(/\r\n?/g, '\n') }];
    }
  }
}

/** One after the other: each may ask. */
export async function fileAttachments(
  uris: readonly vscode.Uri[],
  cwd: string | null,
  parts: Pick<HostParts, 'link'>,
): Promise<Attachment[]> {
  const taken: Attachment[] = [];
  for (const uri of uris) {
    const attachment = await fileAttachment(uri, cwd, parts);
    if (attachment !== null) taken.push(attachment);
  }
  return taken;
}

async function clipboardText(): Promise<string> {
  const text = await vscode.env.clipboard.readText();
  if (text.trim() === '')
    throw new BridgeError('bad_argument', 'The clipboard holds no text.', {
      hint: 'Copy the text first.',
    });
  return text;
}
