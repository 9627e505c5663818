import type { DatabaseSync } from 'node:sqlite';
import { BridgeError } from '../../base/bridgeError.ts';

/** `user_version` of the store. A newer store is never written by an older bridge. */
const STORE_VERSION = 1;

const VERSION_1 = `
CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  endpoint TEXT,
  repo_root TEXT,
  worktree_id TEXT,
  review TEXT NOT NULL,
  hosted INTEGER NOT NULL DEFAULT 0,
  host_starts INTEGER NOT NULL DEFAULT 0,
  starting_until_ms INTEGER,
  cancel_by TEXT,
  revision INTEGER NOT NULL,
  record TEXT NOT NULL,
  spec TEXT NOT NULL
);
CREATE INDEX jobs_status ON jobs (status, seq);
CREATE INDEX jobs_worktree ON jobs (worktree_id) WHERE worktree_id IS NOT NULL;
CREATE TABLE receipts (
  job_id TEXT PRIMARY KEY,
  at TEXT NOT NULL,
  receipt TEXT NOT NULL
);
CREATE TABLE revisions (id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL);
INSERT INTO revisions VALUES (1, 0);
CREATE TABLE cooldowns (
  scope TEXT PRIMARY KEY,
  until_ms INTEGER NOT NULL,
  reason TEXT NOT NULL
);
CREATE TABLE facts (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  at TEXT NOT NULL
);
CREATE TABLE dirty_paths (
  window TEXT NOT NULL,
  path TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (window, path)
);
`;

/** Brings an empty or older store to the present form in one transaction. Returns whether it may be written. */
export function migrateStore(database: DatabaseSync): 'current' | 'newer' {
  const version = readVersion(database);
  if (version > STORE_VERSION) return 'newer';
  if (version === STORE_VERSION) return 'current';
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have done it while this one waited for the lock.
    if (readVersion(database) === 0) {
      database.exec(VERSION_1);
      database.exec(`PRAGMA user_version = ${STORE_VERSION}`);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
  return 'current';
}

function readVersion(database: DatabaseSync): number {
  const row = database.prepare('PRAGMA user_version').get();
  const version = row?.['user_version'];
  if (typeof version !== 'number') {
    throw new BridgeError('store_unavailable', 'The store has no readable version.');
  }
  return version;
}
