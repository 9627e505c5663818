import { DatabaseSync } from 'node:sqlite';
import { BridgeError } from '../../base/bridgeError.ts';
import { isBusy } from '../processes/kernelLock.ts';

const OPEN_ATTEMPTS = 200;
const OPEN_RETRY_MS = 10;

/**
 * Opens a WAL database. Several processes that open a *new* one at once get "database is locked" whatever the busy timeout
 * says, so the first open retries.
 */
export function openDatabase(file: string, readOnly: boolean): DatabaseSync {
  for (let attempt = 1; ; attempt += 1) {
    let database: DatabaseSync | null = null;
    try {
      database = new DatabaseSync(file, { readOnly });
      database.exec('PRAGMA busy_timeout = 10000');
      if (!readOnly) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      return database;
    } catch (error) {
      database?.close();
      if (!isBusy(error) || attempt >= OPEN_ATTEMPTS) {
        throw new BridgeError(
          'store_unavailable',
          `The store ${file} cannot be opened: ${(error as Error).message}.`,
          {
            hint: 'Check that the disk is not full and that the folder is yours, then try again.',
            cause: error,
          },
        );
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_RETRY_MS);
    }
  }
}
