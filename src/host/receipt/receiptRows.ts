import type { JobRecord } from '../../protocol/job.ts';
import { receiptGate } from '../../protocol/receiptGate.ts';
import { formatCount, formatDuration, formatPlural } from '../../protocol/statusLineParts.ts';

/** A fact of a receipt: its name, and plain text that may hold foreign words. */
export type ReceiptRow = readonly [name: string, value: string];

/** The facts of a job as far as they are known, in the order in which one asks for them. Unknown is left out or said, never 0. */
export function receiptRows(job: JobRecord): ReceiptRow[] {
  const rows: readonly (readonly [string, string | null])[] = [
    ['Why', whyItEnded(job)],
    ['Asked for', askedFor(job)],
    ['Answered by', answeredBy(job)],
    ['Fallback', job.fallback === null ? null : fallbackText(job.fallback)],
    ['Rule', job.route?.rule ?? null],
    ['Gate', gateText(job)],
    ['Review', reviewText(job)],
    ['Changed', changedText(job)],
    ['Base', job.worktree === null ? null : `commit ${job.worktree.base.slice(0, 12)}`],
    ['Time', timeText(job)],
    ['Last event', lastEventText(job)],
    ['Tokens', tokensText(job)],
    ['Network', job.startedAt === null ? null : job.network],
    ['Put back', job.tampered.length === 0 ? null : job.tampered.join(', ')],
    ['Started by', job.client.name],
    ['Job', job.id],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function whyItEnded({ failure }: JobRecord): string | null {
  return failure === null ? null : `${failure.message} ${failure.hint}`.trim();
}

function askedFor(job: JobRecord): string {
  const model = job.modelRequested ?? 'no model by name';
  return `${model}, policy ${job.policy}${job.readOnly ? ', read-only' : ''}`;
}

function answeredBy(job: JobRecord): string {
  const place =
    job.endpoint === null ? null : `${job.endpoint} (${job.locality ?? 'place unknown'})`;
  const proof =
    job.proof === null
      ? 'not proven'
      : `proof: ${formatPlural(job.proof.requests, 'request')} carried`;
  if (job.modelServed !== null) return `${job.modelServed} at ${place ?? 'no endpoint'}, ${proof}`;
  if (job.status === 'done')
    return `a model that did not say its name, at ${place ?? 'no endpoint'}, ${proof}`;
  return `${job.finishedAt === null ? 'nobody so far' : 'nobody'}${place === null ? '' : `; chosen: ${place}`}`;
}

function fallbackText({ from, to, reason }: NonNullable<JobRecord['fallback']>): string {
  return `from ${from} to ${to}: ${reason}`;
}

/** Before the end there is no verdict yet, and none is missing. */
function gateText(job: JobRecord): string | null {
  const isOpen = job.finishedAt === null && (job.gate === null || job.gate.status === 'none');
  return isOpen ? null : receiptGate(job);
}

function reviewText({ review }: JobRecord): string | null {
  if (review.status === 'none') return null;
  return review.by === null ? review.status : `${review.status} by ${review.by}`;
}

function changedText({ filesChanged, finishedAt, isolation, worktree }: JobRecord): string | null {
  if (finishedAt === null) return null;
  if (filesChanged.length > 0) return formatPlural(filesChanged.length, 'file');
  const isUnknown = isolation === 'none' && worktree === null;
  return isUnknown ? 'not known: the folder is not in a git repository' : 'nothing';
}

function timeText(job: JobRecord): string | null {
  const parts = [
    job.queuedS === null || job.queuedS < 1 ? null : `waited ${formatDuration(job.queuedS)}`,
    job.elapsedS === null ? null : `ran ${formatDuration(job.elapsedS)}`,
    job.turns === null ? null : formatPlural(job.turns, 'turn'),
    job.startedAt === null ? 'not started' : `started ${clockTime(job.startedAt)}`,
    job.finishedAt === null ? null : `ended ${clockTime(job.finishedAt)}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function lastEventText({ lastActivity, finishedAt }: JobRecord): string | null {
  if (finishedAt !== null || lastActivity === null) return null;
  return `${clockTime(lastActivity.at)}, ${lastActivity.text}`;
}

/** `2026-07-01 10:04:12 UTC` of an RFC 3339 time. */
function clockTime(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
}

function tokensText({ usage, context }: JobRecord): string | null {
  const parts = [
    usage.input === null ? null : `${formatCount(usage.input)} in`,
    usage.cacheRead === null ? null : `${formatCount(usage.cacheRead)} from cache`,
    usage.output === null ? null : `${formatCount(usage.output)} out`,
    context.used === null || context.window === null
      ? null
      : `context ${formatCount(context.used)} of ${formatCount(context.window)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}
