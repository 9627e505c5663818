import { BridgeError } from '../../base/bridgeError.ts';
import type { Git } from './gitRunner.ts';

export interface BaseFile {
  readonly mode: string;
  /** Bytes as a checkout would write them (line ends and other filters applied); a symbolic link's target. */
  readonly content: Buffer;
}

/** A file of a job's base as the user's checkout would have it, or null when the base has no such file. */
export async function baseContent(
  git: Git,
  options: {
    repoRoot: string;
    base: string;
    path: string;
    /** Larger ones are not read (`not_supported`). */
    maxBytes?: number;
    signal?: AbortSignal | undefined;
  },
): Promise<BaseFile | null> {
  const { repoRoot, base, path, signal } = options;
  const call = { cwd: repoRoot, readOnly: true, signal };
  const { stdout } = await git.run(['ls-tree', '-z', '-l', '--full-tree', base, '--', path], call);
  const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t/.exec(stdout.toString('latin1'));
  if (!match?.[1] || !match[3]) return null;
  if (match[2] !== 'blob') {
    throw new BridgeError('bad_argument', `${path} is a ${match[2] ?? 'folder'}, not a file.`);
  }
  const maxBytes = options.maxBytes ?? Number.MAX_SAFE_INTEGER;
  if (Number(match[4]) > maxBytes) throw tooLarge(path, maxBytes);
  // Filters go by the path; for a link there are none.
  const args =
    match[1] === '120000'
      ? ['cat-file', 'blob', match[3]]
      : ['cat-file', '--filters', `--path=${path}`, match[3]];
  const file = await git.run(args, { ...call, maxBytes, onLimit: 'cut' });
  if (file.truncated) throw tooLarge(path, maxBytes);
  return { mode: match[1], content: file.stdout };
}

function tooLarge(path: string, maxBytes: number): BridgeError {
  const megabytes = maxBytes / 1024 / 1024;
  return new BridgeError('not_supported', `${path} has more than ${megabytes} MB.`, {
    hint: 'It is too large to show; it can be accepted or rejected all the same.',
  });
}
