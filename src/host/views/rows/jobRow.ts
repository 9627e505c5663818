import { groupOf, type JobGroup } from '../../../protocol/jobGroup.ts';
import { formatDuration } from '../../../protocol/statusLineParts.ts';
import type { FeedJob } from '../../../protocol/ui/uiTools.ts';
import { jobContext } from './jobContext.ts';
import {
  changesFact,
  clean,
  contextFact,
  decisionFact,
  endFact,
  fallbackFact,
  gateFact,
  jobLabel,
  modelFact,
  repositoryFact,
  secondsSince,
  speedFact,
  stalledFact,
  waitingFact,
} from './jobFacts.ts';
import { jobIcon } from './jobIcon.ts';
import { jobInWords } from './jobInWords.ts';
import { joinParts, type Row } from './row.ts';

export interface JobRowOptions {
  readonly now: Date;
  /** Jobs of more than one repository are shown, so each says of which it is. */
  readonly isAllShown: boolean;
}

export function jobRow(job: FeedJob, { now, isAllShown }: JobRowOptions): Row {
  const group = groupOf(job);
  const repository = repositoryFact(job, isAllShown);
  const hasFiles = hasFileRows(job, group);
  return {
    id: `job:${job.id}`,
    label: jobLabel(job),
    description: joinParts([...partsOf(job, group, now), repository]),
    icon: jobIcon(job, now),
    contextValue: jobContext(job, group),
    accessibleLabel: joinParts([jobInWords(job, group, now), repository], ', '),
    children: hasFiles ? 'collapsed' : 'none',
    command: hasFiles ? null : { name: 'openJob', title: 'Open Job' },
    tooltip: null,
  };
}

/** A tree that is still there is looked into even when the record lists nothing: that list may have failed. */
function hasFileRows(job: FeedJob, group: JobGroup): boolean {
  return group === 'review' || (group === 'finished' && job.filesChanged.length > 0);
}

function partsOf(job: FeedJob, group: JobGroup, now: Date): (string | null)[] {
  switch (group) {
    case 'running':
      return [fallbackFact(job), stalledFact(job, now), ...runningParts(job, now)];
    case 'waiting':
      return [waitingFact(job, now), job.endpoint === null ? null : clean(job.endpoint)];
    case 'review':
      return [
        fallbackFact(job),
        endFact(job),
        decisionFact(job),
        changesFact(job),
        gateFact(job),
        modelFact(job),
      ];
    case 'finished':
      return [
        fallbackFact(job),
        decisionFact(job),
        endFact(job),
        changesFact(job) ?? (job.status === 'done' ? 'no changes' : null),
        gateFact(job),
        modelFact(job),
        job.elapsedS === null ? null : formatDuration(job.elapsedS),
      ];
  }
}

function runningParts(job: FeedJob, now: Date): (string | null)[] {
  const time = formatDuration(secondsSince(job.startedAt ?? job.createdAt, now));
  const place = job.endpoint === null ? null : clean(job.endpoint);
  switch (job.status) {
    case 'starting':
      return [time, 'starting', place];
    case 'gating':
      return [time, 'gate running', place];
    default:
      return [
        time,
        job.turns === null || job.turns === 0 ? 'no answer yet' : `turn ${job.turns}`,
        contextFact(job),
        speedFact(job),
        job.retry.count === 0 ? null : `retry ${job.retry.count}`,
        place,
      ];
  }
}
