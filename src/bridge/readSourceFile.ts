import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { BridgeError } from '../base/bridgeError.ts';

/** Far above any real configuration. */
const MAX_BYTES = 1024 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
};

/**
 * The text of a configuration file that a person named. A pipe or device in its place is not waited for.
 * @throws BridgeError `bad_argument` saying why it cannot be read, never with text of the file
 */
export function readSourceFile(file: string): string;
/** As above; null when there is no such file. */
export function readSourceFile(file: string, options: { isOptional: true }): string | null;
export function readSourceFile(file: string, options?: { isOptional: true }): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    if (options?.isOptional === true && (code === 'ENOENT' || code === 'ENOTDIR')) return null;
    return refuse(file, REASONS[code] ?? code);
  }
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return refuse(file, 'it is a folder');
    if (!stat.isFile()) return refuse(file, 'it is no plain file');
    if (stat.size > MAX_BYTES)
      return refuse(file, `it has more than ${MAX_BYTES / 1024 / 1024} MB`);
    const bytes = readFileSync(descriptor);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) return refuse(file, 'it is no UTF-8 text');
      throw error;
    }
  } finally {
    closeSync(descriptor);
  }
}

function refuse(file: string, reason: string): never {
  throw new BridgeError('bad_argument', `${file} cannot be read: ${reason}.`, {
    hint: 'Name the configuration file itself.',
  });
}
