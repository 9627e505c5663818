import { readFile, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { fromWire, toWire } from '../../protocol/keys.ts';
import type { CamelKeys } from '../../protocol/keys.ts';

/** An ignored file, or folder (trailing slash) that was there at the start. */
export const knownFileSchema = z.object({
  path: z.string(),
  size: z.number(),
  mtime_ms: z.number(),
});
export type KnownFile = CamelKeys<z.infer<typeof knownFileSchema>>;

const markerSchema = z.object({
  v: z.literal(1),
  job: z.string(),
  repo_root: z.string(),
  common_dir: z.string(),
  /** Null until git has registered the worktree. */
  git_dir: z.string().nullable(),
  branch: z.string(),
  base: z.string(),
  /** Ignored files copied in, or made by the set-up command; they are no output of the job until they change. */
  included: z.array(knownFileSchema),
});

/**
 * What the bridge knows about a worktree, kept beside it (not in it, where the job writes): the proof that a folder is one
 * of ours, and the git directory that a forged `.git` file in the worktree is compared with.
 */
export type WorktreeMarker = CamelKeys<z.infer<typeof markerSchema>>;

export function markerPath(root: string): string {
  return `${root}.json`;
}

/** The index as git left it when the worktree was made: the start of every change list, out of the job's reach. */
export function startIndexPath(root: string): string {
  return `${root}.index`;
}

/** Null when the folder carries no marker, or one that cannot be read as such. */
export async function readMarker(root: string): Promise<WorktreeMarker | null> {
  let text: string;
  try {
    text = await readFile(markerPath(root), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const parsed = markerSchema.safeParse(parseJson(text));
  return parsed.success ? (fromWire(parsed.data) as WorktreeMarker) : null;
}

export async function writeMarker(root: string, marker: WorktreeMarker): Promise<void> {
  await writeFile(markerPath(root), `${JSON.stringify(toWire(marker), null, 2)}\n`, {
    mode: 0o600,
  });
}

export async function removeMarker(root: string): Promise<void> {
  await rm(startIndexPath(root), { force: true });
  await rm(markerPath(root), { force: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Half-written by a process that was killed: then it proves nothing, like one that is missing.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
