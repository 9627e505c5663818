import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { BridgeError } from '../../base/bridgeError.ts';
import { BRIDGE_IDENTITY } from './gitEnv.ts';
import type { Git } from './gitRunner.ts';
import { journalStepSchema, type JournalStep } from './journal.ts';
import { withTempIndex } from './mergeSides.ts';

const noteSchema = z.object({
  v: z.literal(1),
  kind: z.enum(['accept', 'undo']),
  steps: z.array(journalStepSchema),
});

export interface UndoVersion {
  readonly n: number;
  readonly ref: string;
  readonly kind: 'accept' | 'undo';
  readonly steps: JournalStep[];
}

/** Config for writes that must survive a loss of power: objects and refs reach the disk before a file is replaced. */
export const DURABLE = [
  '-c',
  'core.fsync=committed,loose-object,reference',
  '-c',
  'core.fsyncMethod=fsync',
] as const;

export interface SaveVersionsOptions {
  readonly git: Git;
  readonly repoRoot: string;
  readonly jobDir: string;
  readonly jobId: string;
  readonly kind: 'accept' | 'undo';
  readonly steps: readonly JournalStep[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stores the raw bytes that every step is about to replace under a new `refs/delegate/undo/<job>/<n>` and returns the ref,
 * or the path of a file that no longer holds the version planned for.
 */
export async function saveVersions(
  options: SaveVersionsOptions,
): Promise<{ ref: string } | { changed: string }> {
  const { git, repoRoot, steps } = options;
  const changed = await storeRawBytes(git, repoRoot, steps);
  if (changed !== null) return { changed };
  const tree = await withTempIndex(options.jobDir, async (env) => {
    const lines = steps.flatMap((step) =>
      step.before === null ? [] : [`${step.before.mode} ${step.before.oid}\t${step.path}\0`],
    );
    await git.run(['update-index', '-z', '--add', '--index-info'], {
      cwd: repoRoot,
      env,
      input: lines.join(''),
    });
    return (await git.run([...DURABLE, 'write-tree'], { cwd: repoRoot, env })).stdout
      .toString('utf8')
      .trim();
  });
  const note = JSON.stringify({ v: 1, kind: options.kind, steps });
  const message = `Versions before ${options.kind === 'accept' ? 'accepting' : 'undoing'} job ${options.jobId}\n\n${note}\n`;
  const commit = (
    await git.run([...DURABLE, 'commit-tree', tree], {
      cwd: repoRoot,
      env: BRIDGE_IDENTITY,
      input: message,
    })
  ).stdout
    .toString('utf8')
    .trim();
  const taken = await undoNumbers(git, repoRoot, options.jobId);
  const ref = undoRef(options.jobId, Math.max(0, ...taken) + 1);
  // The empty old value makes git refuse when the ref exists: no undo ref is ever overwritten.
  await git.run([...DURABLE, 'update-ref', ref, commit, ''], { cwd: repoRoot });
  return { ref };
}

/** The newest undo version of a job whose kind is `accept`, or version `n`; null when there is none. */
export async function findUndoVersion(
  git: Git,
  repoRoot: string,
  jobId: string,
  n?: number,
): Promise<UndoVersion | null> {
  const numbers = (await undoNumbers(git, repoRoot, jobId)).sort((a, b) => b - a);
  for (const number of numbers) {
    if (n !== undefined && number !== n) continue;
    const ref = undoRef(jobId, number);
    const { stdout } = await git.run(['cat-file', 'commit', ref], {
      cwd: repoRoot,
      readOnly: true,
      maxBytes: Number.MAX_SAFE_INTEGER,
    });
    const text = stdout.toString('utf8');
    const note = parseNote(text.slice(text.indexOf('\n\n') + 2).split('\n')[2] ?? '', ref);
    if (n === undefined && note.kind !== 'accept') continue;
    return { n: number, ref, kind: note.kind, steps: note.steps };
  }
  return null;
}

/** Every undo number of the job, in no order. */
export async function undoNumbers(git: Git, repoRoot: string, jobId: string): Promise<number[]> {
  const { stdout } = await git.run(
    ['for-each-ref', '--format=%(refname)', `refs/delegate/undo/${jobId}/`],
    {
      cwd: repoRoot,
      readOnly: true,
    },
  );
  return stdout
    .toString('utf8')
    .split('\n')
    .map((line) => Number(line.slice(line.lastIndexOf('/') + 1)))
    .filter((number) => Number.isInteger(number) && number > 0);
}

export function undoRef(jobId: string, n: number): string {
  return `refs/delegate/undo/${jobId}/${n}`;
}

function parseNote(text: string, ref: string): z.infer<typeof noteSchema> {
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BridgeError(
      'git_failed',
      `${ref} was not written by Delegation Bridge and cannot be used for an undo.`,
      {
        hint: `Look at it with: git show ${ref}`,
        cause: error,
      },
    );
  }
}

/** Stores present versions as blobs; the first path whose bytes are not those of `before` is returned. */
async function storeRawBytes(
  git: Git,
  repoRoot: string,
  steps: readonly JournalStep[],
): Promise<string | null> {
  const links = steps.filter((step) => step.before?.mode === '120000');
  for (const step of links) {
    const target = await readlink(join(repoRoot, step.path), { encoding: 'buffer' });
    const oid = await storeBlob(git, repoRoot, target);
    if (oid !== step.before?.oid) return step.path;
  }
  const files = steps.filter((step) => step.before !== null && step.before.mode !== '120000');
  if (files.length === 0) return null;
  const { stdout } = await git.run(
    [...DURABLE, 'hash-object', '-w', '--no-filters', '--stdin-paths'],
    {
      cwd: repoRoot,
      input: files.map((step) => `${quoteLine(step.path)}\n`).join(''),
    },
  );
  const oids = stdout.toString('utf8').split('\n');
  for (const [index, step] of files.entries())
    if (oids[index] !== step.before?.oid) return step.path;
  return null;
}

/** Writes these bytes as a blob, durably, and returns its name. */
export async function storeBlob(git: Git, repoRoot: string, bytes: Buffer): Promise<string> {
  const { stdout } = await git.run([...DURABLE, 'hash-object', '-w', '--stdin'], {
    cwd: repoRoot,
    input: bytes,
  });
  return stdout.toString('utf8').trim();
}

/** `--stdin-paths` reads lines, and takes a line that starts with a quote as a C string. */
function quoteLine(path: string): string {
  if (!path.startsWith('"') && !/[\n\r]/.test(path)) return path;
  const escaped = path.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r');
  return `"${escaped}"`;
}
