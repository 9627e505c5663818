import * as vscode from 'vscode';
import { sanitiseText } from '../../base/sanitise.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';

/** VS Code opens no larger text; who needs more has the command line. */
const MAX_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 1_048_576;

/** A whole log as a document: to search, to copy, to save. */
export async function openLogFile(
  parts: HostParts,
  jobId: string,
  what: 'transcript' | 'gate',
): Promise<void> {
  await reportFailures(parts, async () => {
    let text = '';
    let offset = 0;
    while (offset < MAX_BYTES) {
      const page = await parts.link.call('read_log', {
        jobId,
        what,
        offset,
        maxBytes: PAGE_BYTES,
      });
      if (page.nextOffset <= offset) break;
      text += page.text;
      offset = page.nextOffset;
    }
    const content = text === '' ? 'Nothing has been written to this log.\n' : sanitiseText(text);
    const document = await vscode.workspace.openTextDocument({ content, language: 'log' });
    await vscode.window.showTextDocument(document, { preview: true });
  })();
}
