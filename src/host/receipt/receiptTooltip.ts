import { COMMAND_IDS, type LinkedCommand } from './linkedCommands.ts';
import { escapeMarkdown } from '../../base/markdownText.ts';
import { receiptRows } from './receiptRows.ts';
import { statusLine } from '../../protocol/statusLine.ts';
import { groupOf } from '../../protocol/jobGroup.ts';
import { jobLabel } from '../views/rows/jobFacts.ts';
import type { FeedJob } from '../../protocol/ui/uiTools.ts';

const MOST_WARNINGS = 5;

/**
 * The receipt as the tooltip of a job's row. Its links run the commands of linkedCommands.ts and nothing else: everything that is
 * not ours is escaped, and the view trusts just these.
 */
export function receiptTooltip(job: FeedJob, now: Date): string {
  const facts = receiptRows(job).map(([name, value]) => `**${name}** ${escapeMarkdown(value)}`);
  const warnings = job.warnings
    .slice(0, MOST_WARNINGS)
    .map((warning) => `**Warning** ${escapeMarkdown(warning)}`);
  return [
    `**${escapeMarkdown(jobLabel(job), 160)}**`,
    escapeMarkdown(statusLine(job, now, job.queuePosition)),
    [...facts, ...warnings].join('  \n'),
    linksOf(job)
      .map(([title, command]) => link(title, command, job.id))
      .join(' · '),
  ].join('\n\n');
}

function linksOf(job: FeedJob): [string, LinkedCommand][] {
  const links: [string, LinkedCommand][] = [
    ['Open Job', 'openJob'],
    ['Log', 'openLog'],
  ];
  if (groupOf(job) === 'review') links.push(['Diff', 'reviewJob']);
  if (job.isolation === 'worktree' && job.worktree?.kept === true)
    links.push(['Worktree', 'openWorktree']);
  links.push(['Copy Receipt', 'copyReceipt']);
  return links;
}

function link(title: string, command: LinkedCommand, jobId: string): string {
  const args = encodeURIComponent(JSON.stringify([jobId])).replace(/[()]/g, (sign) =>
    sign === '(' ? '%28' : '%29',
  );
  return `[${title}](command:${COMMAND_IDS[command]}?${args})`;
}
