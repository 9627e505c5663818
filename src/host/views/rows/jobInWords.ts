import { groupOf, type JobGroup } from '../../../protocol/jobGroup.ts';
import { formatOrdinal, formatPlural } from '../../../protocol/statusLineParts.ts';
import type { FeedJob } from '../../../protocol/ui/uiTools.ts';
import {
  clean,
  decisionFact,
  endFact,
  fallbackFact,
  gateFact,
  isStalled,
  jobLabel,
  secondsSince,
} from './jobFacts.ts';
import { joinParts } from './row.ts';

/**
 * A job in words for a screen reader. Times are in whole minutes: a text that changes each second would be read out each second.
 */
export function jobInWords(job: FeedJob, group: JobGroup = groupOf(job), now: Date): string {
  return joinParts([jobLabel(job), ...wordsOf(job, group, now)], ', ');
}

function wordsOf(job: FeedJob, group: JobGroup, now: Date): (string | null)[] {
  const place = job.endpoint === null ? null : `on ${clean(job.endpoint)}`;
  const model =
    job.modelServed === null || job.fallback !== null
      ? fallbackFact(job)
      : `answered by ${clean(job.modelServed)}`;
  switch (group) {
    case 'waiting':
      return [
        'waiting',
        job.queuePosition === null ? null : `${formatOrdinal(job.queuePosition)} in line`,
        place,
      ];
    case 'running':
      return [
        job.status === 'gating' ? 'gate running' : job.status,
        minutes(secondsSince(job.startedAt ?? job.createdAt, now)),
        isStalled(job, now) ? 'no progress for more than 2 minutes' : null,
        job.turns === null || job.turns === 0 ? null : `turn ${job.turns}`,
        fallbackFact(job),
        place,
      ];
    case 'review':
      return [
        'for review',
        endFact(job),
        decisionFact(job),
        gateFact(job),
        changesInWords(job),
        model,
      ];
    case 'finished':
      return [
        'finished',
        decisionFact(job),
        endFact(job),
        gateFact(job),
        changesInWords(job) ?? 'no changes',
        model,
      ];
  }
}

function changesInWords({ filesChanged }: FeedJob): string | null {
  return filesChanged.length === 0 ? null : `${formatPlural(filesChanged.length, 'file')} changed`;
}

function minutes(durationS: number): string {
  const count = Number.isFinite(durationS) ? Math.max(0, Math.floor(durationS / 60)) : 0;
  return count === 0 ? 'for less than a minute' : `for ${formatPlural(count, 'minute')}`;
}
