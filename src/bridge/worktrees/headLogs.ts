import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** One move of a HEAD, as its log has it. */
export interface HeadMove {
  readonly from: string;
  readonly to: string;
  readonly message: string;
}

/** HEAD log of every working tree of a repository, by its path below the common git directory. */
export async function headLogSizes(commonDir: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const log of await headLogs(commonDir)) {
    sizes[log] = (await readFile(join(commonDir, log))).length;
  }
  return sizes;
}

/** What was added to the HEAD logs since `before`, by log. */
export async function headMovesSince(
  commonDir: string,
  before: Readonly<Record<string, number>>,
): Promise<Map<string, HeadMove[]>> {
  const moves = new Map<string, HeadMove[]>();
  for (const log of await headLogs(commonDir)) {
    const content = await readFile(join(commonDir, log));
    const known = before[log] ?? 0;
    // A log that became shorter was expired or rewritten: all of it counts.
    const added = content.subarray(known > content.length ? 0 : known);
    moves.set(log, parseLog(added.toString('utf8')));
  }
  return moves;
}

/** The last move in the log of one ref, or null when it has none. */
export async function lastMove(commonDir: string, ref: string): Promise<HeadMove | null> {
  const file = join(commonDir, 'logs', ref);
  if (!existsSync(file)) return null;
  return parseLog(await readFile(file, 'utf8')).at(-1) ?? null;
}

/** The log of the worktree that has this git directory name under `worktrees/`. */
export function headLogOf(worktreeId: string): string {
  return `worktrees/${worktreeId}/logs/HEAD`;
}

async function headLogs(commonDir: string): Promise<string[]> {
  const linked = join(commonDir, 'worktrees');
  const ids = existsSync(linked) ? await readdir(linked) : [];
  return ['logs/HEAD', ...ids.map(headLogOf)].filter((log) => existsSync(join(commonDir, log)));
}

function parseLog(text: string): HeadMove[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*(?:\t(.*))?$/.exec(line);
    return match ? [{ from: match[1] ?? '', to: match[2] ?? '', message: match[3] ?? '' }] : [];
  });
}
