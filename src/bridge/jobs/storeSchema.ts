import type { DatabaseSync } from 'node:sqlite';
import { BridgeError } from '../../base/bridgeError.ts';

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

/**
 * Lists are read by these. `is_open` is `groupOf(record) !== 'finished'` of protocol/jobGroup.ts, computed by the database, so that no
 * writer can get it wrong.
 */
const VERSION_2 = `
ALTER TABLE jobs ADD COLUMN is_open INTEGER GENERATED ALWAYS AS (
  CASE
    WHEN status NOT IN ('done', 'failed', 'timeout', 'cancelled', 'lost', 'refused') THEN 1
    WHEN review NOT IN ('pending', 'partly') THEN 0
    WHEN json_extract(record, '$.isolation') = 'none'
      THEN review = 'pending' AND json_array_length(record, '$.files_changed') > 0
    ELSE coalesce(json_extract(record, '$.worktree.kept'), 0)
  END
) VIRTUAL;
CREATE INDEX jobs_open ON jobs (is_open, seq);
CREATE INDEX jobs_repository ON jobs (repo_root, is_open, seq);
CREATE INDEX jobs_revision ON jobs (revision);
`;

/** Each brings the store from the version before to its own: `user_version` is how many have been done. */
const STEPS: readonly string[] = [VERSION_1, VERSION_2];

/** Brings an empty or older store to the present form in one transaction. A newer store is never written by an older bridge. */
export function migrateStore(database: DatabaseSync): 'current' | 'newer' {
  const version = readVersion(database);
  if (version > STEPS.length) return 'newer';
  if (version === STEPS.length) return 'current';
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have done it while this one waited for the lock.
    for (const step of STEPS.slice(readVersion(database))) database.exec(step);
    database.exec(`PRAGMA user_version = ${STEPS.length}`);
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
