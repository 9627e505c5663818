import { BridgeError } from '../../base/bridgeError.ts';
import type { HostParts } from '../hostParts.ts';
import { briefInFront, closeBriefEditor } from './briefEditor.ts';
import { delegateFlow } from './delegateFlow.ts';
import { folderOf } from './folderOf.ts';
import type { KeptDelegations } from './keptDelegations.ts';

/** Hands over the brief that was written in an editor, and closes that once there is a job. */
export async function delegateBriefCommand(
  parts: HostParts,
  kept: KeptDelegations,
): Promise<string | undefined> {
  const text = briefInFront();
  if (text === null || text.trim() === '')
    throw new BridgeError('bad_argument', 'There is no brief in the editor in front.', {
      hint: 'Run "Delegate: Delegate a Task…" and choose "Write the brief in an editor".',
    });
  const cwd = folderOf(undefined);
  const { draft } = kept;
  const delegation = { ...draft, text: '', attachments: [{ kind: 'brief', text }] } as const;
  const jobId = await delegateFlow(parts, kept, { cwd, delegation, from: 'who' });
  if (jobId === undefined) {
    // The editor keeps it; in the draft it would be there twice.
    kept.keepDraft(draft);
    return undefined;
  }
  await closeBriefEditor(text);
  return jobId;
}
