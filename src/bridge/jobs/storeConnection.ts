import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { BridgeError } from '../../base/bridgeError.ts';
import { isBusy } from '../processes/kernelLock.ts';
import { openDatabase } from './openDatabase.ts';
import { migrateStore } from './storeSchema.ts';

/** The SQLite file that all processes share, brought to the present form. One of a newer version is only read. */
export class StoreConnection {
  readonly database: DatabaseSync;
  readonly isReadOnly: boolean;
  #depth = 0;

  constructor(stateDir: string) {
    const file = join(stateDir, 'bridge.sqlite');
    const database = openDatabase(file, false);
    this.isReadOnly = migrateStore(database) === 'newer';
    if (this.isReadOnly) database.close();
    this.database = this.isReadOnly ? openDatabase(file, true) : database;
  }

  close(): void {
    this.database.close();
  }

  /** Runs `work` in one immediate transaction; nested calls join it. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    if (this.isReadOnly) {
      throw new BridgeError('store_newer', 'The store was written by a newer Delegation Bridge.', {
        hint: 'Update Delegation Bridge; until then it only reads.',
      });
    }
    this.#execute('BEGIN IMMEDIATE');
    this.#depth += 1;
    try {
      const result = work();
      this.database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw storeFailure(error);
    } finally {
      this.#depth -= 1;
    }
  }

  #execute(statement: string): void {
    try {
      this.database.exec(statement);
    } catch (error) {
      throw storeFailure(error);
    }
  }

  /** SQLite itself rolls back when the disk is full, and then knows of no transaction: why it failed is the first error. */
  #rollBack(): void {
    try {
      this.database.exec('ROLLBACK');
    } catch (error) {
      if (!(error as Error).message.includes('no transaction is active')) throw error;
    }
  }
}

const SQLITE_FULL = 13;

/** What a full disk or a writer that does not end mean to a person; everything else as it is. */
function storeFailure(error: unknown): unknown {
  if (((error as { errcode?: number } | null)?.errcode ?? 0) === SQLITE_FULL) {
    return new BridgeError('storage_full', 'The disk is full, so the store cannot be written.', {
      hint: 'Free some space, or run "delegate gc".',
      cause: error,
    });
  }
  if (isBusy(error)) {
    return new BridgeError('store_unavailable', 'Another process does not let go of the store.', {
      hint: 'Look for a stopped process of Delegation Bridge, then try again.',
      cause: error,
    });
  }
  return error;
}
