import { basename } from 'node:path';
import { sanitiseLine } from '../../../base/sanitise.ts';
import { briefLine } from '../../../protocol/briefLine.ts';
import type { QueueReason } from '../../../protocol/job.ts';
import { STALLED_AFTER_MS } from '../../../protocol/statusLine.ts';
import { formatDuration, formatOrdinal, formatPlural } from '../../../protocol/statusLineParts.ts';
import type { FeedJob } from '../../../protocol/ui/uiTools.ts';

/** What rows, tooltips and notifications say about a job, one fact each; null where there is nothing to say. */

const WHY_WAITING: Readonly<Record<QueueReason, string>> = {
  pool_full: 'its pool is full',
  endpoint_busy: 'the endpoint is busy',
  global_cap: 'as many jobs run as may',
  project_cap: 'as many jobs of this repository run as may',
  adaptive_cap: 'slowed down after refusals',
  workspace_busy: 'another job works in this folder',
  cooldown: 'the endpoint cools down',
  auth_failed: 'the endpoint refused the key',
  memory: 'memory is short',
  exclusive_group: 'another model is loaded there',
  stagger: 'starts in a moment',
};

export function jobLabel(job: Pick<FeedJob, 'id' | 'task'>): string {
  return briefLine(job.task) || job.id;
}

export function fallbackFact({ fallback, modelServed }: FeedJob): string | null {
  if (fallback === null) return null;
  return `answered by ${clean(modelServed ?? fallback.to)} instead`;
}

export function changesFact({ filesChanged }: FeedJob): string | null {
  if (filesChanged.length === 0) return null;
  const { additions, deletions } = sumOfLines(filesChanged);
  return `${formatPlural(filesChanged.length, 'file')}${lineCounts(additions, deletions)}`;
}

/** ` +12 −2`; empty where nobody counted, as for binary files. */
export function lineCounts(additions: number | null, deletions: number | null): string {
  if (additions === null && deletions === null) return '';
  return ` +${additions ?? 0} −${deletions ?? 0}`;
}

export function gateFact({ gate, status, filesChanged }: FeedJob): string | null {
  if (gate === null || gate.status === 'none')
    return status === 'done' && filesChanged.length > 0 ? 'no gate' : null;
  const on = {
    exact: '',
    edited: ', edited since',
    merged: ', merged since',
  }[gate.covers];
  if (gate.status === 'passed') return `gate passed${on}`;
  if (gate.status === 'tampered') return `gate tampered with (${clean(gate.name)})`;
  const exit = gate.exit === null ? '' : `, exit ${gate.exit}`;
  return `gate failed (${clean(gate.name)}${exit})${on}`;
}

export function modelFact({ modelServed, fallback }: FeedJob): string | null {
  // A fallback has named it already, in front of everything else.
  return modelServed === null || fallback !== null ? null : clean(modelServed);
}

/** Only where more than one repository is shown. */
export function repositoryFact(job: FeedJob, isAllShown: boolean): string | null {
  return isAllShown ? clean(basename(job.repoRoot ?? job.cwd)) : null;
}

export function decisionFact({ review, filesChanged }: FeedJob): string | null {
  switch (review.status) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return 'rejected';
    case 'abandoned':
      return 'put aside';
    case 'partly':
      return `${review.files.length} of ${filesChanged.length} accepted`;
    case 'pending':
      return review.dropped.length === 0
        ? null
        : `${review.dropped.length} of ${filesChanged.length} rejected`;
    case 'none':
      return null;
  }
}

/** How it ended, where that was not as it should. */
export function endFact(job: FeedJob): string | null {
  const why = job.failure === null ? '' : `: ${sanitiseLine(job.failure.message, 160)}`;
  switch (job.status) {
    case 'failed':
      return `failed${why}`;
    case 'timeout':
      return `timed out${why}`;
    case 'refused':
      return `refused${why}`;
    case 'lost':
      return 'its process was lost';
    case 'cancelled':
      return 'cancelled';
    case 'done':
    case 'queued':
    case 'starting':
    case 'running':
    case 'gating':
      return null;
  }
}

export function waitingFact(job: FeedJob, now: Date): string {
  const why = job.queueReason === null ? null : WHY_WAITING[job.queueReason];
  const place = job.queuePosition === null ? null : `${formatOrdinal(job.queuePosition)} in line`;
  return [place, why, formatDuration(secondsSince(job.createdAt, now))]
    .filter((part) => part !== null)
    .join(' · ');
}

/** `no progress for 2:40`. A gate says nothing while it runs, so it does not stall. */
export function stalledFact(job: FeedJob, now: Date): string | null {
  if (!isStalled(job, now)) return null;
  return `no progress for ${formatDuration(secondsSince(lastEvent(job), now))}`;
}

export function isStalled(job: FeedJob, now: Date): boolean {
  if (job.status !== 'running') return false;
  return secondsSince(lastEvent(job), now) * 1000 >= STALLED_AFTER_MS;
}

export function contextFact({ context: { window, used } }: FeedJob): string | null {
  if (window === null || used === null || window === 0) return null;
  return `ctx ${Math.round((100 * used) / window)} %`;
}

export function speedFact({ speedTps }: FeedJob): string | null {
  return speedTps === null ? null : `${Math.round(speedTps)} tok/s`;
}

export function secondsSince(from: string, to: Date): number {
  return (to.getTime() - Date.parse(from)) / 1000;
}

export function clean(text: string): string {
  return sanitiseLine(text, 80);
}

function lastEvent(job: FeedJob): string {
  return job.lastActivity?.at ?? job.startedAt ?? job.createdAt;
}

function sumOfLines(files: FeedJob['filesChanged']): {
  additions: number | null;
  deletions: number | null;
} {
  const sum = (counts: (number | null)[]): number | null => {
    const known = counts.filter((count) => count !== null);
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
  };
  return {
    additions: sum(files.map((file) => file.additions)),
    deletions: sum(files.map((file) => file.deletions)),
  };
}
