import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { BridgeError } from '../../base/bridgeError.ts';

/** What a restore needs besides the commit; kept in the job folder. */
const rejectNoteSchema = z.object({
  v: z.literal(1),
  root: z.string(),
  branch: z.string(),
  base: z.string(),
  /** Where the branch and the worktree's HEAD were. */
  tip: z.string(),
  head: z.string(),
  /** Changed files with their raw bytes, which a filter might not give back. */
  files: z.array(
    z.object({
      path: z.string(),
      mode: z.enum(['100644', '100755', '120000']),
      oid: z.string(),
      perm: z.number().nullable(),
    }),
  ),
  copied: z.array(z.string()),
  /** Files that came from the user's checkout and were not changed: copied from there again. */
  included: z.array(z.string()),
});

export type RejectNote = z.infer<typeof rejectNoteSchema>;

export function rejectedRef(jobId: string): string {
  return `refs/delegate/rejected/${jobId}`;
}

export function rejectedDir(jobDir: string): string {
  return join(jobDir, 'rejected');
}

export function notePath(jobDir: string): string {
  return join(rejectedDir(jobDir), 'note.json');
}

/** Throws `wrong_state` when nothing was kept, `internal` when the note cannot be read. */
export async function readRejectNote(jobDir: string): Promise<RejectNote> {
  let text: string;
  try {
    text = await readFile(notePath(jobDir), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new BridgeError('wrong_state', 'Nothing is kept of this job that could be restored.', {
      hint: 'Rejected work is kept for worktrees.keep_rejected_days.',
      cause: error,
    });
  }
  try {
    return rejectNoteSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BridgeError('internal', `${notePath(jobDir)} cannot be read.`, { cause: error });
  }
}
