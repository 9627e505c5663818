import { BridgeError } from '../../base/bridgeError.ts';
import type { Git } from './gitRunner.ts';

/** The bytes of several blobs by one git call. Throws `git_failed` when one of them is missing. */
export async function readBlobs(
  git: Git,
  repoRoot: string,
  oids: readonly string[],
): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  if (oids.length === 0) return blobs;
  const { stdout } = await git.run(['cat-file', '--batch'], {
    cwd: repoRoot,
    input: oids.map((oid) => `${oid}\n`).join(''),
    maxBytes: Number.MAX_SAFE_INTEGER,
    readOnly: true,
  });
  let at = 0;
  for (const oid of oids) {
    const end = stdout.indexOf(10, at);
    const [, type, size] = stdout.subarray(at, end).toString('latin1').split(' ');
    const sizeBytes = Number(size);
    if (type !== 'blob' || !Number.isInteger(sizeBytes)) {
      throw new BridgeError('git_failed', `The stored version ${oid} of a file is missing.`, {
        hint: 'Check the repository with "git fsck".',
      });
    }
    blobs.set(oid, stdout.subarray(end + 1, end + 1 + sizeBytes));
    at = end + 1 + sizeBytes + 1;
  }
  return blobs;
}
