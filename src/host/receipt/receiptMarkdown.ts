import { sanitiseLine } from '../../base/sanitise.ts';
import { briefLine } from '../../protocol/briefLine.ts';
import type { ChangedFile, JobRecord } from '../../protocol/job.ts';
import { statusLine } from '../../protocol/statusLine.ts';
import { escapeMarkdown, fenceText } from '../../base/markdownText.ts';
import { receiptRows } from './receiptRows.ts';

/** The whole receipt for the clipboard: facts of the bridge first, the model's own words last and marked as such. */
export function receiptMarkdown(job: JobRecord, now: Date): string {
  const parts = [
    `## ${escapeMarkdown(briefLine(job.task) || job.id)}`,
    escapeMarkdown(statusLine(job, now)),
    receiptRows(job)
      .map(([name, value]) => `- **${name}**: ${escapeMarkdown(value, 1000)}`)
      .join('\n'),
  ];
  if (job.warnings.length > 0)
    parts.push(
      '### Warnings',
      job.warnings.map((warning) => `- ${escapeMarkdown(warning, 1000)}`).join('\n'),
    );
  if (job.filesChanged.length > 0)
    parts.push('### Files', job.filesChanged.map(fileLine).join('\n'));
  if (job.result !== null)
    parts.push(
      job.modelServed === null && job.status !== 'done'
        ? `### What ${job.runner} said`
        : "### The model's report",
      fenceText(job.result),
    );
  return `${parts.join('\n\n')}\n`;
}

function fileLine(file: ChangedFile): string {
  const path = escapeMarkdown(sanitiseLine(file.path, 1000), 1000);
  const lines =
    file.additions === null && file.deletions === null
      ? ''
      : ` (+${file.additions ?? 0} −${file.deletions ?? 0})`;
  return `- ${file.change} ${path}${lines}`;
}
