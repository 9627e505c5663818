import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { BridgeError } from '../../base/bridgeError.ts';

/** A file as text that can be written back to the byte. */
export interface TextFile {
  readonly text: string;
  /** The file itself: links are followed, as dotfile repositories have them. */
  readonly target: string;
  readonly mode: number;
}

/**
 * Null when there is no such file. A byte order mark stays in the text.
 * @throws BridgeError `setup_failed` with the reason why it cannot be edited
 */
export function readText(file: string): TextFile | null {
  try {
    return tryRead(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || BridgeError.is(error)) throw error;
    throw failed(
      `${file} cannot be read (${code}).`,
      'See whom it belongs to, and whether its folder is one.',
    );
  }
}

function tryRead(file: string): TextFile | null {
  const link = lstatSync(file, { throwIfNoEntry: false });
  if (link === undefined) return null;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) {
    throw failed(
      `${file} is a link to a file that does not exist.`,
      'Remove the link or make the file.',
    );
  }
  if (!stat.isFile()) throw failed(`${file} is not a file.`, 'Move it away.');
  if ((stat.mode & 0o200) === 0) {
    throw failed(`${file} is read-only.`, `Make it writable: chmod u+w ${file}`);
  }
  const bytes = readFileSync(file);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) {
    throw failed(`${file} is not UTF-8 text.`, 'Save it as UTF-8.');
  }
  return { text, target: realpathSync(file), mode: stat.mode & 0o7777 };
}

/** Hash of what a text is as a file; null for no file. */
export function sha256(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text, 'utf8').digest('hex');
}

function failed(message: string, hint: string): BridgeError {
  return new BridgeError('setup_failed', message, { hint });
}
