import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { copyIndex } from './scratchIndex.ts';
import { knownFileSchema, type KnownFile } from './worktreeMarker.ts';

const folderStartSchema = z.object({
  v: z.literal(1),
  rules: z.string(),
  ignored: z.array(knownFileSchema),
  nested: z.array(z.string()),
});

/** How a folder stood before a job that works in it, as far as the snapshot commit does not say it. */
export interface FolderStart {
  /** Ignore rules of the start, Latin-1. */
  readonly rules: string;
  /** Ignored files and folders that were there. */
  readonly ignored: readonly KnownFile[];
  /** Repositories inside the folder, whose content is not in the snapshot. */
  readonly nested: readonly string[];
  /** Index of the snapshot, for its stat cache; null = read it from the commit. */
  readonly indexFile: string | null;
}

/** Keeps the start in the job's folder, for change lists by any process. */
export async function writeFolderStart(folder: string, start: FolderStart): Promise<FolderStart> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const indexFile = join(folder, 'start.index');
  if (start.indexFile !== null) await copyIndex(start.indexFile, indexFile);
  const file = join(folder, 'start.json');
  const { rules, ignored, nested } = start;
  const wire = {
    v: 1,
    rules,
    nested,
    ignored: ignored.map(({ mtimeMs, ...rest }) => ({ ...rest, mtime_ms: mtimeMs })),
  };
  await writeFile(`${file}.tmp`, JSON.stringify(wire), { mode: 0o600 });
  await rename(`${file}.tmp`, file);
  return { rules, ignored, nested, indexFile };
}

/** Null when no start was kept there. */
export async function readFolderStart(folder: string): Promise<FolderStart | null> {
  const file = join(folder, 'start.json');
  if (!existsSync(file)) return null;
  const { rules, ignored, nested } = folderStartSchema.parse(
    JSON.parse(await readFile(file, 'utf8')),
  );
  const indexFile = join(folder, 'start.index');
  return {
    rules,
    nested,
    ignored: ignored.map(({ mtime_ms: mtimeMs, ...rest }) => ({ ...rest, mtimeMs })),
    indexFile: existsSync(indexFile) ? indexFile : null,
  };
}
