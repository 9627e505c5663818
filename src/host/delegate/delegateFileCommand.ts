import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { HostParts } from '../hostParts.ts';
import { delegateFlow } from './delegateFlow.ts';
import { folderOf } from './folderOf.ts';
import type { KeptDelegations } from './keptDelegations.ts';
import { fileAttachments } from './takeAttachments.ts';

/** More are a task about a folder, and that is said better in words. */
const MAX_FILES = 50;

/** Hands over files: those chosen in the Explorer, else the one in front. */
export async function delegateFileCommand(
  [first, all]: readonly unknown[],
  parts: HostParts,
  kept: KeptDelegations,
): Promise<string | undefined> {
  const chosen = (Array.isArray(all) && all.length > 0 ? all : [first]).filter(
    (each): each is vscode.Uri => each instanceof vscode.Uri,
  );
  const inFront = vscode.window.activeTextEditor?.document.uri;
  const uris = chosen.length > 0 ? chosen : inFront === undefined ? [] : [inFront];
  const [uri] = uris;
  if (uri === undefined || uris.some(({ scheme }) => scheme !== 'file'))
    throw new BridgeError('bad_argument', 'That is no file on disk.', {
      hint: 'Open a file, or choose one in the Explorer.',
    });
  if (uris.length > MAX_FILES)
    throw new BridgeError('bad_argument', `${uris.length} files are too many for one brief.`, {
      hint: 'Name their folder in the task instead.',
    });
  const cwd = folderOf(uri);
  const attachments = await fileAttachments(uris, cwd, parts);
  return attachments.length === 0 ? undefined : delegateFlow(parts, kept, { cwd, attachments });
}
