import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Git } from './gitRunner.ts';

export type MergeResult =
  | { readonly status: 'merged'; readonly content: Buffer }
  | { readonly status: 'overlap'; readonly conflicts: number; readonly content: Buffer }
  | { readonly status: 'binary' };

const MAX_CONFLICTS = 127;
/** Git looks for a NUL byte in as much to tell binary from text. */
const BINARY_PROBE_BYTES = 8000;

/**
 * `git merge-file` over three contents as git stores them. When the sides differ in their line ends as a whole (an edit
 * tool rewrote CRLF as LF), they are merged on LF and the result gets the user's, else every line would conflict.
 * `content` of an overlap carries diff3 markers.
 */
export async function mergeText(options: {
  git: Git;
  cwd: string;
  scratchDir: string;
  base: Buffer;
  mine: Buffer;
  theirs: Buffer;
}): Promise<MergeResult> {
  const sides = [options.mine, options.base, options.theirs];
  if (sides.some(isBinary)) return { status: 'binary' };
  const styles = sides.map(lineEndOf);
  const isUniform = styles.every((style) => style !== 'mixed');
  const isDifferent = styles.includes('lf') && styles.includes('crlf');
  const contents = isUniform && isDifferent ? sides.map(toLf) : sides;
  const directory = await mkdtemp(join(options.scratchDir, '.merge-'));
  try {
    const files = ['yours', 'base', 'job'].map((name) => join(directory, name));
    for (const [index, file] of files.entries())
      await writeFile(file, contents[index] ?? '', { mode: 0o600 });
    const labels = ['yours', 'base', 'job'].flatMap((label) => ['-L', label]);
    const { stdout, code, stderr } = await options.git.run(
      ['merge-file', '-p', '--diff3', ...labels, ...files],
      {
        cwd: options.cwd,
        okCodes: Array.from({ length: 256 }, (_, value) => value),
        maxBytes: Number.MAX_SAFE_INTEGER,
        readOnly: true,
      },
    );
    if (code > MAX_CONFLICTS)
      throw new BridgeError('git_failed', `git merge-file failed: ${stderr.trim()}`);
    const content =
      isUniform && isDifferent ? withLineEnd(stdout, styles[0] === 'crlf' ? 'crlf' : 'lf') : stdout;
    return code === 0
      ? { status: 'merged', content }
      : { status: 'overlap', conflicts: code, content };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, BINARY_PROBE_BYTES).includes(0);
}

export type LineEnd = 'lf' | 'crlf' | 'mixed' | 'none';

export function lineEndOf(bytes: Buffer): LineEnd {
  let lf = 0;
  let crlf = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (at > 0 && bytes[at - 1] === 13) crlf += 1;
    else lf += 1;
  }
  if (lf > 0 && crlf > 0) return 'mixed';
  if (crlf > 0) return 'crlf';
  return lf > 0 ? 'lf' : 'none';
}

/** The same text with one kind of line end throughout. */
export function withLineEnd(bytes: Buffer, lineEnd: 'lf' | 'crlf'): Buffer {
  const lf = toLf(bytes);
  return lineEnd === 'lf'
    ? lf
    : Buffer.from(lf.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

/** Whether a text still holds the markers of an unsolved conflict. */
export function hasConflictMarkers(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  return /^<{7}( |\r?$)/m.test(text) && /^>{7}( |\r?$)/m.test(text);
}

function toLf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
