import { mkdir } from 'node:fs/promises';
import { BridgeError } from '../../base/bridgeError.ts';
import type { ChangedFile } from '../../protocol/job.ts';
import type { Git } from './gitRunner.ts';
import { objectFormatOf, readPresent } from './journalState.ts';
import { readSides, readWorktreeSide, type Entry } from './mergeSides.ts';
import { isBinary, lineEndOf, mergeText, withLineEnd } from './mergeText.ts';

export interface MergeInputs {
  readonly base: Buffer;
  readonly yours: Buffer;
  readonly job: Buffer;
  /** Start of the result: what could be merged, with diff3 markers at the rest. */
  readonly result: Buffer;
}

/**
 * The four texts for a merge editor, all as they would lie in the user's checkout; nothing is written but objects. Throws
 * `bad_argument` for a file that has no text on one of the sides: there, only taking or leaving it is possible.
 */
export async function mergeInputs(options: {
  git: Git;
  repoRoot: string;
  root: string;
  base: string;
  file: ChangedFile;
  scratchDir: string;
  signal?: AbortSignal | undefined;
}): Promise<MergeInputs> {
  const { git, repoRoot, root, base, file, scratchDir, signal } = options;
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  const from = file.oldPath ?? file.path;
  const present = await readPresent(repoRoot, from, { format: objectFormatOf(base) });
  const paths = [...new Set([from, file.path])];
  const user = await readSides({
    git,
    cwd: repoRoot,
    scratchDir,
    base,
    paths,
    existing: present.kind === 'file' ? [from] : [],
    signal,
  });
  const job = await readWorktreeSide({ git, root, base, scratchDir, signal }, paths);
  const read = async (args: string[]) =>
    (await git.run(args, { cwd: repoRoot, readOnly: true, signal })).stdout;
  const textOf = async (entry: Entry | undefined): Promise<Buffer> => {
    if (entry === undefined) return Buffer.alloc(0);
    if (!entry.mode.startsWith('100')) throw notText(file.path);
    const bytes = await read(['cat-file', 'blob', entry.oid]);
    if (isBinary(bytes)) throw notText(file.path);
    return bytes;
  };
  const [baseText, mine, theirs] = await Promise.all([
    textOf(user.base.get(from)),
    textOf(user.found.get(from)),
    textOf(job.get(file.path)),
  ]);
  const merged = await mergeText({ git, cwd: repoRoot, scratchDir, base: baseText, mine, theirs });
  if (merged.status === 'binary') throw notText(file.path);
  const style = present.kind === 'file' ? lineEndOf(present.bytes) : 'none';
  const toDisk = (text: Buffer) =>
    style === 'crlf' || style === 'lf' ? withLineEnd(text, style) : text;
  return {
    base: toDisk(baseText),
    yours: present.kind === 'file' ? present.bytes : mine,
    job: toDisk(theirs),
    result: toDisk(merged.content),
  };
}

function notText(path: string): BridgeError {
  return new BridgeError('bad_argument', `${path} is no text on every side and cannot be merged.`, {
    hint: "Accept the job's file or keep yours.",
  });
}
