import { dirname } from 'node:path';
import { sanitiseLine } from '../base/sanitise.ts';

/** Why a file of a repository does not count, and what to do about it. */
export function untrustedFile(file: string): string {
  return sanitiseLine(
    `${file} is not trusted, so it is not used. Read it, then: delegate trust ${dirname(file)}`,
    1_000,
  );
}
