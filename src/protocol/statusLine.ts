import { sanitiseLine } from '../base/sanitise.ts';
import type { JobRecord } from './job.ts';
import { formatDuration, formatOrdinal, formatPlural } from './statusLineParts.ts';

/** Without any event for so long a job that runs is shown as stalled. */
export const STALLED_AFTER_MS = 120_000;
const MAX_ACTIVITY_LENGTH = 110;

/**
 * The state of a job in one line, most important first, safe for a terminal:
 * `running 4:12 · turn 9 · ctx 31 % · 82 tok/s · Edit src/range.ts`. Unknown numbers are left out, never shown as 0.
 *
 * @param queuePosition 1 for the next in line; null when it is not known or the job does not wait
 */
export function statusLine(job: JobRecord, now: Date, queuePosition: number | null = null): string {
  const [state, ...rest] = partsOf(job, now, queuePosition);
  return [state ?? null, fallbackText(job), ...rest]
    .filter((part) => part !== null && part !== '')
    .join(' · ');
}

function partsOf(job: JobRecord, now: Date, queuePosition: number | null): (string | null)[] {
  const ranS = job.elapsedS ?? secondsBetween(job.startedAt ?? job.createdAt, now);
  switch (job.status) {
    case 'queued':
      return [
        `waiting ${formatDuration(secondsBetween(job.createdAt, now))}`,
        queuePosition === null ? null : `${formatOrdinal(queuePosition)} in line`,
        job.queueReason === null ? null : job.queueReason.replaceAll('_', ' '),
      ];
    case 'starting':
      return [`starting ${formatDuration(secondsBetween(job.createdAt, now))}`];
    case 'running':
      return [`running ${formatDuration(ranS)}`, ...liveParts(job, now)];
    case 'gating':
      return [
        `gate running ${formatDuration(ranS)}`,
        job.turns === null ? null : `turn ${job.turns}`,
      ];
    case 'done':
      return [`done in ${formatDuration(ranS)}${butGate(job)}`, ...outcomeParts(job)];
    case 'failed':
    case 'timeout':
    case 'cancelled':
    case 'lost':
      return [
        `${job.status} after ${formatDuration(ranS)}`,
        failureText(job),
        ...outcomeParts(job),
      ];
    case 'refused':
      return ['refused', failureText(job)];
  }
}

/** Never left out of a line that is cut: another model works than the one that was asked for. */
function fallbackText({ fallback }: JobRecord): string | null {
  return fallback === null ? null : `fallback from ${sanitiseLine(fallback.from, 60)}`;
}

function liveParts(job: JobRecord, now: Date): (string | null)[] {
  const { window, used } = job.context;
  return [
    job.turns === null ? null : `turn ${job.turns}`,
    window === null || used === null || window === 0
      ? null
      : `ctx ${Math.round((100 * used) / window)} %`,
    job.speedTps === null ? null : `${Math.round(job.speedTps)} tok/s`,
    job.retry.count === 0 ? null : `retry ${job.retry.count}`,
    stalledText(job, now),
    job.lastActivity === null
      ? 'no answer yet'
      : sanitiseLine(job.lastActivity.text, MAX_ACTIVITY_LENGTH),
  ];
}

function stalledText(job: JobRecord, now: Date): string | null {
  const last = job.lastActivity?.at ?? job.startedAt;
  if (last === null) return null;
  const quietMs = now.getTime() - Date.parse(last);
  return quietMs >= STALLED_AFTER_MS ? `no progress for ${formatDuration(quietMs / 1000)}` : null;
}

function outcomeParts(job: JobRecord): (string | null)[] {
  const count = job.filesChanged.length;
  return [
    count > 0 ? `${formatPlural(count, 'file')} changed` : null,
    gateText(job),
    job.review.status === 'none' ? null : `review ${job.review.status}`,
  ];
}

/** A check that says no stands beside the word "done", so that nobody reads the one without the other. */
function butGate({ gate }: JobRecord): string {
  if (gate?.status === 'tampered')
    return `, but its gate was tampered with (${gateName(gate.name)})`;
  if (gate?.status !== 'failed') return '';
  const exit = gate.exit === null ? '' : `, exit ${gate.exit}`;
  return `, but its gate failed (${gateName(gate.name)}${exit})`;
}

function gateText({ gate, status }: JobRecord): string | null {
  if (gate === null || gate.status === 'none') return status === 'done' ? 'no gate' : null;
  // For a job that is done butGate() has said it.
  if (status === 'done' && gate.status !== 'passed') return null;
  return `gate ${gateName(gate.name)} ${gate.status}`;
}

function gateName(name: string): string {
  return sanitiseLine(name, 40);
}

function failureText(job: JobRecord): string | null {
  return job.failure === null ? null : sanitiseLine(job.failure.message, 200);
}

function secondsBetween(from: string, to: Date): number {
  return (to.getTime() - Date.parse(from)) / 1000;
}
