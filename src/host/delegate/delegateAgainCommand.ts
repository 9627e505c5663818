import type { HostParts } from '../hostParts.ts';
import { delegateFlow } from './delegateFlow.ts';
import { folderOf } from './folderOf.ts';
import type { KeptDelegations } from './keptDelegations.ts';

/** The last delegation once more, shown at its last step before it starts. Without one: the first step. */
export async function delegateAgainCommand(
  parts: HostParts,
  kept: KeptDelegations,
): Promise<string | undefined> {
  const { draft, last } = kept;
  if (last === null) return delegateFlow(parts, kept, { cwd: folderOf(undefined) });
  const cwd = last.cwd ?? folderOf(undefined);
  const jobId = await delegateFlow(parts, kept, { cwd, delegation: last, from: 'how' });
  // What was being typed is none of its business.
  kept.keepDraft(draft);
  return jobId;
}
