import type { COMMANDS } from '../../contributions.ts';
import { groupOf } from '../../protocol/jobGroup.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import {
  changesFact,
  clean,
  endFact,
  fallbackFact,
  gateFact,
  jobLabel,
} from '../views/rows/jobFacts.ts';

export interface EndMessage {
  readonly text: string;
  readonly isWarning: boolean;
  readonly buttons: readonly EndButton[];
}

interface EndButton {
  readonly label: string;
  readonly command: keyof typeof COMMANDS;
  readonly args: readonly unknown[];
}

const MAX_TITLE = 60;

/** One notification for all of these jobs, which have ended. */
export function endMessage(jobs: readonly FeedJob[]): EndMessage {
  const [only] = jobs;
  return jobs.length === 1 && only !== undefined ? messageOfOne(only) : messageOfMany(jobs);
}

function messageOfOne(job: FeedJob): EndMessage {
  const isForReview = groupOf(job) === 'review';
  const isFailed = job.status !== 'done';
  const facts = [
    endFact(job),
    fallbackFact(job),
    isFailed ? null : gateFact(job),
    isFailed ? null : (changesFact(job) ?? 'no changes'),
    // Whoever did not start it should not wonder where it came from.
    job.client.name === OWN_CLIENT ? null : `started by ${clean(job.client.name)}`,
  ].filter((fact) => fact !== null);
  return {
    text: plain(`${title(job)} · ${facts.join(' · ')}`),
    isWarning: isFailed || job.gate?.status === 'failed' || job.gate?.status === 'tampered',
    buttons: [
      ...(isForReview ? [button('Review', 'reviewJob', job.id)] : []),
      // One click for what was checked; everything else is looked at first.
      ...(isForReview && job.gate?.status === 'passed' && job.gate.covers === 'exact'
        ? [button('Accept', 'acceptJob', job.id)]
        : []),
      ...(isForReview ? [] : [button('Open Job', 'openJob', job.id)]),
      button('Open Log', 'openLog', job.id),
    ],
  };
}

function messageOfMany(jobs: readonly FeedJob[]): EndMessage {
  const review = jobs.filter((job) => groupOf(job) === 'review');
  const passed = review.filter(({ gate }) => gate?.status === 'passed').length;
  const failed = jobs.filter(({ status }) => status !== 'done').length;
  const facts = [
    review.length === 0 ? null : `${review.length} to review`,
    passed === 0 ? null : `${passed} with a gate that passed`,
    failed === 0 ? null : `${failed} failed`,
  ].filter((fact) => fact !== null);
  const counts = facts.length === 0 ? '' : `: ${facts.join(', ')}`;
  return {
    text: plain(`${formatPlural(jobs.length, 'job')} ended${counts}`),
    isWarning: failed > 0,
    buttons: review.length === 0 ? [] : [{ label: 'Review', command: 'nextJobToReview', args: [] }],
  };
}

/** The name by which this extension's server calls itself on jobs. */
const OWN_CLIENT = 'vscode';

function title(job: FeedJob): string {
  return sanitiseLine(jobLabel(job), MAX_TITLE);
}

function button(label: string, command: keyof typeof COMMANDS, jobId: string): EndButton {
  return { label, command, args: [jobId] };
}

/** Notifications make links of `[text](address)`; nobody but us writes any here. */
function plain(text: string): string {
  return text.replaceAll('](', '] (');
}
