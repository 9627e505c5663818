import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { cannotWrite } from './cannotWrite.ts';
import type { SetupRecord } from './setupRecord.ts';

/**
 * Makes the folders that a file needs, each on record first, so that removal knows them.
 * @throws BridgeError `setup_failed` when one cannot be made
 */
export function makeFolders(file: string, record: SetupRecord): void {
  const missing: string[] = [];
  for (let each = dirname(file); !existsSync(each); each = dirname(each)) missing.unshift(each);
  for (const folder of missing) {
    record.keepFolder(folder);
    try {
      mkdirSync(folder);
    } catch (error) {
      throw cannotWrite(folder, error);
    }
  }
}
