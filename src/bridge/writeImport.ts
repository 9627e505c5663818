import { mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { atomicWrite } from '../config/atomicWrite.ts';
import type { ImportPlan } from './importConfig.ts';
import { readSourceFile } from './readSourceFile.ts';

/**
 * Writes what an import has shown; a file that is a link stays one. Atomic; a new file is for its owner alone.
 * @throws BridgeError `conflict` when the file is not as it was shown
 */
export function writeImport({ targetFile, before, after }: ImportPlan): void {
  if (readSourceFile(targetFile, { isOptional: true }) !== before)
    throw new BridgeError('conflict', `${targetFile} was changed just now; nothing was written.`, {
      hint: 'Import again.',
    });
  if (before === after) return;
  try {
    mkdirSync(path.dirname(targetFile), { recursive: true, mode: 0o700 });
    const file = before === null ? targetFile : realpathSync(targetFile);
    const mode = before === null ? 0o600 : statSync(file).mode & 0o777;
    atomicWrite(file, after, mode);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new BridgeError('config_invalid', `${targetFile} cannot be written (${code}).`, {
      hint: 'Look at the rights of that folder.',
      cause: error,
    });
  }
}
