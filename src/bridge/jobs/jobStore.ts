import type { DatabaseSync } from 'node:sqlite';
import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord, JobStatus } from '../../protocol/job.ts';
import { type FeedAnswer, type FeedQuestion, readFeed } from './feedRows.ts';
import { decodeRecord, encode, RowDecoder, type StoredJob } from './jobRow.ts';
import type { JobSpec } from './jobSpec.ts';
import { canMove, isFinal } from './status.ts';
import { StoreConnection } from './storeConnection.ts';

export interface JobFilter {
  readonly statuses?: readonly JobStatus[];
  readonly repoRoot?: string;
  readonly sinceRevision?: number;
  readonly limit?: number;
}

/** What admission and the host set beside the record. */
export interface JobRowChanges {
  readonly isHosted?: boolean;
  readonly hostStarts?: number;
  readonly startingUntilMs?: number | null;
  readonly cancelBy?: string;
  readonly spec?: JobSpec;
}

/**
 * The one SQLite file that all processes share. Every write is a transaction; a final status and its receipt are one.
 */
export class JobStore {
  readonly #connection: StoreConnection;
  readonly #database: DatabaseSync;
  readonly #rows = new RowDecoder();

  constructor(stateDir: string) {
    this.#connection = new StoreConnection(stateDir);
    this.#database = this.#connection.database;
  }

  get isReadOnly(): boolean {
    return this.#connection.isReadOnly;
  }

  close(): void {
    this.#connection.close();
  }

  /** Changes whenever another connection has committed (3 µs a poll). */
  dataVersion(): number {
    return Number(this.#database.prepare('PRAGMA data_version').get()?.['data_version']);
  }

  /** Counts every change of a job, by whatever process; a later change has a higher number. */
  revision(): number {
    return Number(this.#database.prepare('SELECT value FROM revisions').get()?.['value']);
  }

  /** Runs `work` in one immediate transaction; nested calls join it. */
  transaction<T>(work: () => T): T {
    return this.#connection.transaction(work);
  }

  insert(record: JobRecord, spec: JobSpec): void {
    this.transaction(() => {
      this.#database
        .prepare(
          `INSERT INTO jobs (id, status, endpoint, repo_root, worktree_id, review, revision, record, spec)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          record.id,
          record.status,
          record.endpoint,
          spec.repoRoot,
          record.worktree?.id ?? null,
          record.review.status,
          this.#nextRevision(),
          encode(record),
          encode(spec),
        );
      if (isFinal(record.status)) this.#writeReceipt(record);
    });
  }

  find(id: string): StoredJob | null {
    const row = this.#database.prepare('SELECT * FROM jobs WHERE id = ?').get(id);
    return row ? this.#rows.decode(row) : null;
  }

  /** Ids that begin with or end in `part`, newest first: people type the tail of an id. */
  findIds(part: string): string[] {
    const like = part.replace(/[\\%_]/g, '\\$&');
    return this.#database
      .prepare(
        `SELECT id FROM jobs WHERE id LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\' ORDER BY seq DESC LIMIT 20`,
      )
      .all(`${like}%`, `%${like}`)
      .map((row) => String(row['id']));
  }

  /** Newest first. */
  list(filter: JobFilter = {}): StoredJob[] {
    const conditions: string[] = [];
    const values: (string | number)[] = [];
    if (filter.statuses) {
      conditions.push(`status IN (${filter.statuses.map(() => '?').join(', ')})`);
      values.push(...filter.statuses);
    }
    if (filter.repoRoot !== undefined) {
      conditions.push('repo_root = ?');
      values.push(filter.repoRoot);
    }
    if (filter.sinceRevision !== undefined) {
      conditions.push('revision > ?');
      values.push(filter.sinceRevision);
    }
    // Not in the order of the table, or SQLite would look at all jobs for the few that have changed.
    const order = filter.sinceRevision === undefined ? 'seq' : '+seq';
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    return this.#database
      .prepare(`SELECT * FROM jobs ${where} ORDER BY ${order} DESC LIMIT ?`)
      .all(...values, filter.limit ?? -1)
      .map((row) => this.#rows.decode(row));
  }

  /** What a list of jobs asks for: see `FeedQuestion`. */
  feed(question: FeedQuestion): FeedAnswer {
    return readFeed(this.#database, question);
  }

  /** Jobs in the order in which they were queued. */
  inOrder(statuses: readonly JobStatus[]): StoredJob[] {
    return this.list({ statuses }).reverse();
  }

  /** Whether any job waits, without reading one. */
  hasQueued(): boolean {
    const row = this.#database.prepare("SELECT 1 FROM jobs WHERE status = 'queued' LIMIT 1").get();
    return row !== undefined;
  }

  countByStatus(): Map<JobStatus, number> {
    const rows = this.#database
      .prepare('SELECT status, count(*) AS n FROM jobs GROUP BY status')
      .all();
    return new Map(rows.map((row) => [row['status'] as JobStatus, Number(row['n'])]));
  }

  /** Jobs that share a worktree, oldest first. */
  withWorktree(worktreeId: string): StoredJob[] {
    return this.#database
      .prepare('SELECT * FROM jobs WHERE worktree_id = ? ORDER BY seq')
      .all(worktreeId)
      .map((row) => this.#rows.decode(row));
  }

  /**
   * Changes one job. `change` gets the present record and returns the new one, or null for no change. A move of status that
   * is not allowed throws; a move to a final status writes the receipt in the same transaction.
   */
  update(
    id: string,
    change: (record: JobRecord, job: StoredJob) => JobRecord | null,
    row: JobRowChanges = {},
  ): JobRecord {
    return this.transaction(() => {
      const job = this.find(id);
      if (!job) throw new BridgeError('unknown_job', `There is no job ${id}.`);
      const record = change(job.record, job) ?? job.record;
      if (record.status !== job.record.status && !canMove(job.record.status, record.status)) {
        throw new BridgeError(
          'internal',
          `A job cannot go from ${job.record.status} to ${record.status}.`,
        );
      }
      this.#database
        .prepare(
          `UPDATE jobs SET status = ?, endpoint = ?, worktree_id = ?, review = ?, record = ?, revision = ?,
             hosted = ?, host_starts = ?, starting_until_ms = ?, cancel_by = ?, spec = ? WHERE id = ?`,
        )
        .run(
          record.status,
          record.endpoint,
          record.worktree?.id ?? null,
          record.review.status,
          encode(record),
          this.#nextRevision(),
          (row.isHosted ?? job.isHosted) ? 1 : 0,
          row.hostStarts ?? job.hostStarts,
          row.startingUntilMs === undefined ? job.startingUntilMs : row.startingUntilMs,
          row.cancelBy ?? job.cancelBy,
          encode(row.spec ?? job.spec),
          id,
        );
      // Review and clean-up come after the end, and belong on the receipt as well.
      if (isFinal(record.status)) this.#writeReceipt(record);
      return record;
    });
  }

  receipt(id: string): JobRecord | null {
    const row = this.#database.prepare('SELECT receipt FROM receipts WHERE job_id = ?').get(id);
    return row ? decodeRecord(row['receipt']) : null;
  }

  fact(key: string): { value: string; at: string } | null {
    const row = this.#database.prepare('SELECT value, at FROM facts WHERE key = ?').get(key);
    return row ? { value: String(row['value']), at: String(row['at']) } : null;
  }

  /** Values by key, of all keys that begin with `prefix`. */
  factsUnder(prefix: string): Map<string, string> {
    const rows = this.#database
      .prepare('SELECT key, value FROM facts WHERE substr(key, 1, ?) = ?')
      .all(prefix.length, prefix);
    return new Map(rows.map((row) => [String(row['key']), String(row['value'])]));
  }

  setFact(key: string, value: string, at: Date): void {
    this.transaction(() => {
      this.#database
        .prepare(
          'INSERT INTO facts VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, at = excluded.at',
        )
        .run(key, value, at.toISOString());
    });
  }

  cooldowns(nowMs: number): Map<string, { untilMs: number; reason: string }> {
    const rows = this.#database.prepare('SELECT * FROM cooldowns WHERE until_ms > ?').all(nowMs);
    return new Map(
      rows.map((row) => [
        String(row['scope']),
        { untilMs: Number(row['until_ms']), reason: String(row['reason']) },
      ]),
    );
  }

  setCooldown(scope: string, untilMs: number, reason: string): void {
    this.transaction(() => {
      this.#database
        .prepare(
          'INSERT INTO cooldowns VALUES (?, ?, ?) ON CONFLICT (scope) DO UPDATE SET until_ms = excluded.until_ms, reason = excluded.reason',
        )
        .run(scope, untilMs, reason);
    });
  }

  /** Replaces what one editor window says of its unsaved files. */
  setDirtyPaths(window: string, paths: readonly string[], nowMs: number): void {
    this.transaction(() => {
      this.#database.prepare('DELETE FROM dirty_paths WHERE window = ?').run(window);
      const insert = this.#database.prepare('INSERT OR REPLACE INTO dirty_paths VALUES (?, ?, ?)');
      for (const path of paths) insert.run(window, path, nowMs);
    });
  }

  /** Unsaved files of all windows that have spoken since `sinceMs`. */
  dirtyPaths(sinceMs: number): string[] {
    return this.#database
      .prepare('SELECT DISTINCT path FROM dirty_paths WHERE at_ms >= ? ORDER BY path')
      .all(sinceMs)
      .map((row) => String(row['path']));
  }

  #writeReceipt(record: JobRecord): void {
    this.#database
      .prepare(
        'INSERT INTO receipts VALUES (?, ?, ?) ON CONFLICT (job_id) DO UPDATE SET receipt = excluded.receipt',
      )
      .run(record.id, record.finishedAt ?? record.createdAt, encode(record));
  }

  #nextRevision(): number {
    this.#database.exec('UPDATE revisions SET value = value + 1');
    return this.revision();
  }
}
