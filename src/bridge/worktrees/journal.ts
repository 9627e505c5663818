import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { BridgeError } from '../../base/bridgeError.ts';

const fileStateSchema = z.object({
  mode: z.enum(['100644', '100755', '120000']),
  oid: z.string().regex(/^[0-9a-f]{40,64}$/),
  perm: z.number().int().min(0).max(0o7777).nullable(),
});

export const journalStepSchema = z.object({
  path: z.string().min(1),
  before: fileStateSchema.nullable(),
  after: fileStateSchema.nullable(),
});

const journalSchema = z.object({
  v: z.literal(1),
  kind: z.enum(['accept', 'undo']),
  job: z.string(),
  repo_root: z.string(),
  /** Holds the versions before; deleted when the write is rolled back. */
  undo_ref: z.string(),
  /** Deleted once the write is complete: an undo uses up the ref that it restores. */
  used_ref: z.string().nullable(),
  /** Part of the name of every temporary file, so that recovery finds them. */
  id: z.string().regex(/^[0-9a-f]{12}$/),
  steps: z.array(journalStepSchema),
  /** Directories that did not exist before, outermost first; removed again on a roll back when empty. */
  created_dirs: z.array(z.string()),
  /** Directories that may hold temporary files. */
  temp_dirs: z.array(z.string()),
});

export type JournalStep = z.infer<typeof journalStepSchema>;
export type Journal = z.infer<typeof journalSchema>;

/** File in the job folder while an accept or undo is being written. */
export const JOURNAL_NAME = 'write-journal.json';

/**
 * On disk before the first file of the user's checkout changes, gone after the last. Found at start, it means that the
 * write was cut short; which of its steps were done is read from the files themselves, never from the journal.
 */
export async function writeJournal(jobDir: string, journal: Journal): Promise<void> {
  const target = join(jobDir, JOURNAL_NAME);
  const temp = `${target}.tmp`;
  const file = await open(temp, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(journal));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temp, target);
  await syncDirectory(jobDir);
}

/** Null when no write is open. Throws `internal` when the journal cannot be read: guessing could lose a file. */
export async function readJournal(jobDir: string): Promise<Journal | null> {
  const file = join(jobDir, JOURNAL_NAME);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return journalSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BridgeError(
      'internal',
      `The journal of an interrupted accept cannot be read: ${file}.`,
      {
        hint: 'The versions before the accept are kept under refs/delegate/undo; compare your files with them, then delete the journal.',
        cause: error,
      },
    );
  }
}

export async function clearJournal(jobDir: string): Promise<void> {
  await rm(join(jobDir, JOURNAL_NAME), { force: true });
  await syncDirectory(jobDir);
}

/** Makes a rename in this directory survive a loss of power; Windows cannot open directories and needs no such call. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
