import type { DatabaseSync } from 'node:sqlite';
import type { JobRecord } from '../../protocol/job.ts';
import { decodeRecord } from './jobRow.ts';

/**
 * Without `since` and `before`: every open job and the newest page of the others. With `since`: what has changed after that revision.
 * With `before`: the next older page. `repoRoots` null: jobs of all folders.
 */
export interface FeedQuestion {
  readonly since: number | null;
  readonly before: number | null;
  readonly repoRoots: readonly string[] | null;
  readonly limit: number;
}

interface FeedRow {
  readonly seq: number;
  readonly record: JobRecord;
  readonly repoRoot: string | null;
  /** Place in the queue of its pool, 1 is next; null when it does not wait. */
  readonly queuePosition: number | null;
}

export interface FeedAnswer {
  readonly revision: number;
  /** Newest first. */
  readonly rows: readonly FeedRow[];
  readonly finishedTotal: number;
  readonly total: number;
}

type Row = Omit<FeedRow, 'queuePosition'>;

/** Reads no more rows than the answer has; counts come from indexes. */
export function readFeed(database: DatabaseSync, question: FeedQuestion): FeedAnswer {
  const scope = question.repoRoots ?? [];
  const isOurs =
    question.repoRoots === null ? 'TRUE' : `repo_root IN (${scope.map(() => '?').join(', ')})`;
  const select = (condition: string, values: readonly number[], limit = -1): Row[] =>
    database
      .prepare(`SELECT seq, record, repo_root FROM jobs WHERE ${condition} LIMIT ?`)
      .all(...scope, ...values, limit)
      .map(decode);
  const count = (condition: string): number =>
    Number(
      database.prepare(`SELECT count(*) AS n FROM jobs WHERE ${condition}`).get(...scope)?.['n'],
    );
  // Before the rows: what is written meanwhile comes again with the next question.
  const revision = Number(database.prepare('SELECT value FROM revisions').get()?.['value']);
  // A plus keeps SQLite from an index: for the few that have changed it would look at all jobs of a repository, or at all jobs in order.
  const changed = (since: number): Row[] =>
    select(`+${isOurs} AND revision > ? ORDER BY +seq DESC`, [since]);
  const queued = (): Row[] => select(`+${isOurs} AND status = 'queued' ORDER BY +seq DESC`, []);
  let rows: Row[];
  if (question.since !== null) {
    rows = changed(question.since);
    // Who left the queue has moved the others up, and nothing is written for that.
    if (rows.some(({ record }) => hasLeftQueue(record))) rows = union(rows, queued());
  } else if (question.before !== null) {
    rows = select(
      `${isOurs} AND is_open = 0 AND seq < ? ORDER BY seq DESC`,
      [question.before],
      question.limit,
    );
  } else {
    const finished = select(`${isOurs} AND is_open = 0 ORDER BY seq DESC`, [], question.limit);
    rows = union(select(`${isOurs} AND is_open = 1`, []), finished);
  }
  return {
    revision,
    rows: withPositions(database, rows),
    finishedTotal: count(`${isOurs} AND is_open = 0`),
    total: count(isOurs),
  };
}

function hasLeftQueue({ status, startedAt }: JobRecord): boolean {
  return status !== 'queued' && startedAt === null;
}

function union(some: readonly Row[], more: readonly Row[]): Row[] {
  const bySeq = new Map([...some, ...more].map((row) => [row.seq, row]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq);
}

function withPositions(database: DatabaseSync, rows: readonly Row[]): FeedRow[] {
  const positions = rows.some(({ record }) => record.status === 'queued')
    ? queuePositions(database)
    : null;
  return rows.map((row) => ({ ...row, queuePosition: positions?.get(row.seq) ?? null }));
}

/** By `seq`; the queue of a pool is that of all repositories. */
function queuePositions(database: DatabaseSync): Map<number, number> {
  const lengths = new Map<unknown, number>();
  const positions = new Map<number, number>();
  const queue = database
    .prepare(
      `SELECT seq, json_extract(spec, '$.pool') AS pool FROM jobs WHERE status = 'queued' ORDER BY seq`,
    )
    .all();
  for (const { seq, pool } of queue) {
    const position = (lengths.get(pool) ?? 0) + 1;
    lengths.set(pool, position);
    positions.set(Number(seq), position);
  }
  return positions;
}

function decode(row: Record<string, unknown>): Row {
  return {
    seq: Number(row['seq']),
    record: decodeRecord(row['record']),
    repoRoot: row['repo_root'] as string | null,
  };
}
