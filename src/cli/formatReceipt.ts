import { sanitiseLine, sanitiseText } from '../base/sanitise.ts';
import type { JobRecord } from '../protocol/job.ts';
import { isOver } from '../server/toolAnswers.ts';
import { briefLine } from '../protocol/briefLine.ts';
import { statusLine } from '../protocol/statusLine.ts';
import { receiptGate } from '../protocol/receiptGate.ts';
import { formatCount, formatDuration, formatPlural } from '../protocol/statusLineParts.ts';
import { alignColumns } from '../base/alignColumns.ts';
import { foldText } from './foldText.ts';
import { changeLines } from './formatChanges.ts';

/**
 * The honest account of one job for a person: facts of the bridge first, the model's own words last.
 * @param columns width of the terminal, to which long values are folded; null: one line each
 */
export function formatReceipt(
  job: JobRecord,
  now: Date,
  queuePosition: number | null,
  columns: number | null = null,
): string {
  const rows = rowsOf(job, now, queuePosition).flatMap(([label, value]) =>
    value === null ? [] : [[label, value]],
  );
  const labelWidth = 2 + Math.max(...rows.map(([label = '']) => label.length));
  const folded = rows.map(([label = '', value = '']) => [
    label,
    foldText(value, columns === null ? null : columns - labelWidth).join(
      `\n${' '.repeat(labelWidth)}`,
    ),
  ]);
  const parts = [alignColumns(folded)];
  if (job.filesChanged.length > 0) parts.push('', changeLines(job.filesChanged));
  for (const warning of job.warnings)
    parts.push('', foldText(`Warning: ${clean(warning)}`, columns).join('\n'));
  if (job.result !== null) {
    const cut = job.resultTruncated ? ` (cut; ${job.resultBytes ?? 'more'} bytes in all)` : '';
    // Without an answer it is the runner that speaks, about why there is none.
    const who = hasAnswered(job) ? "The model's report" : `What ${job.runner} said`;
    parts.push('', `${who}${cut}:`, sanitiseText(job.result).trimEnd());
  }
  return parts.join('\n');
}

function rowsOf(
  job: JobRecord,
  now: Date,
  queuePosition: number | null,
): [string, string | null][] {
  return [
    ['Job', job.id],
    ['Task', briefLine(job.task)],
    ['Status', statusLine(job, now, queuePosition)],
    [
      'What to do',
      job.failure === null || job.failure.hint === '' ? null : clean(job.failure.hint),
    ],
    [
      'Asked for',
      `${job.modelRequested === null ? 'no model by name' : clean(job.modelRequested)}, policy ${job.policy}${job.readOnly ? ', read-only' : ''}`,
    ],
    ['Answered by', answeredBy(job)],
    ['Rule', job.route?.rule ?? null],
    [
      'Fallback',
      job.fallback === null
        ? 'none'
        : clean(`from ${job.fallback.from} to ${job.fallback.to}: ${job.fallback.reason}`),
    ],
    ['Proof', proofText(job)],
    ['Gate', clean(receiptGate(job))],
    ['Review', reviewText(job)],
    [
      'Touched',
      job.tampered.length === 0
        ? null
        : clean(`${job.tampered.join(', ')} of the repository itself; put back`),
    ],
    [
      'Runner',
      job.startedAt === null
        ? runnerText(job)
        : `${runnerText(job)}${job.turns === null ? '' : `, ${formatPlural(job.turns, 'turn')}`}, ${formatPlural(job.toolCalls, 'tool call')}, network ${job.network}`,
    ],
    ['Tokens', tokensText(job)],
    ['Time', timeText(job)],
    ['Folder', clean(job.cwd)],
    treeRow(job),
    ['Changed', changedText(job)],
    ['Resumes', job.resumedFrom],
    ['Started by', clean(job.client.name)],
  ];
}

function answeredBy(job: JobRecord): string {
  const place =
    job.endpoint === null
      ? null
      : clean(
          `${job.endpoint} (${job.locality ?? 'place unknown'}, ${job.baseUrl ?? 'address unknown'})`,
        );
  if (job.modelServed !== null) return `${clean(job.modelServed)} at ${place ?? 'no endpoint'}`;
  if (hasAnswered(job)) return `a model that did not say its name, at ${place ?? 'no endpoint'}`;
  if (place === null) return 'nobody';
  return `${isOver(job) ? 'nobody' : 'nobody so far'}; chosen: ${place}`;
}

/** A request that was carried need not have had an answer: an error is none. */
function hasAnswered(job: JobRecord): boolean {
  return job.modelServed !== null || job.status === 'done';
}

function treeRow({ isolation, worktree }: JobRecord): [string, string | null] {
  if (worktree === null) return ['Worktree', null];
  const { root, kept, base } = worktree;
  if (isolation === 'none') return ['Worked in', clean(`${root}, the checkout itself`)];
  return [
    'Worktree',
    clean(`${root}${kept ? '' : ' (removed)'}, from commit ${base.slice(0, 12)}`),
  ];
}

/** A row of its own only where there is no list to trust. */
function changedText(job: JobRecord): string | null {
  const isUnknown = job.isolation === 'none' && job.worktree === null && job.startedAt !== null;
  return isUnknown ? 'not known: the folder is not in a git repository' : null;
}

function proofText(job: JobRecord): string {
  if (job.proof === null) return 'none';
  const { requests, endpoint } = job.proof;
  return `the bridge carried ${requests === 1 ? 'one request' : `${requests} requests`} to ${clean(endpoint)}`;
}

function reviewText({ review, isolation, worktree, startedAt }: JobRecord): string {
  if (review.status === 'none' && isolation === 'none' && worktree === null && startedAt !== null)
    return 'not possible without git';
  if (review.status === 'none') return 'nothing to review';
  return review.by === null ? review.status : clean(`${review.status} by ${review.by}`);
}

/** What nobody reported is left out, not shown as 0. */
function tokensText({ usage, context }: JobRecord): string {
  const parts = [
    usage.input === null ? null : `${formatCount(usage.input)} in`,
    usage.cacheRead === null ? null : `${formatCount(usage.cacheRead)} from cache`,
    usage.output === null ? null : `${formatCount(usage.output)} out`,
  ].filter((part) => part !== null);
  const window = context.window === null ? '' : `, window ${formatCount(context.window)}`;
  return `${parts.length === 0 ? 'unknown' : parts.join(', ')}${window}`;
}

function timeText(job: JobRecord): string {
  const parts = [
    `created ${job.createdAt}`,
    job.queuedS === null ? null : `waited ${formatDuration(job.queuedS)}`,
    job.elapsedS === null ? null : `ran ${formatDuration(job.elapsedS)}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function runnerText({ runner, agent }: JobRecord): string {
  return agent === null ? runner : `${runner} with agent ${clean(agent.name)} (${agent.source})`;
}

function clean(text: string): string {
  return sanitiseLine(text, 500);
}
