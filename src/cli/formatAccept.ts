import { sanitiseLine } from '../base/sanitise.ts';
import type { AcceptOutcome } from '../bridge/bridgeTypes.ts';
import type { JobRecord } from '../protocol/job.ts';
import { formatPlural } from '../protocol/statusLineParts.ts';

/** What an accept, its dry run or its undo did, file by file. */
export function formatAccept({ job, result }: AcceptOutcome, verb: 'Applied' | 'Put back'): string {
  const lines: string[] = [];
  switch (result.status) {
    case 'applied':
      if (result.commit !== null) {
        lines.push(...committed(result.commit, result.applied.length, job));
        break;
      }
      lines.push(`${verb} ${formatPlural(result.applied.length, 'file')} of ${job.id}.`);
      break;
    case 'dry-run':
      lines.push(`Nothing was written. ${formatPlural(result.applied.length, 'file')} would be:`);
      break;
    case 'nothing':
      lines.push('The checkout has all of it already; nothing was written.');
      break;
    case 'refused':
      lines.push(`Nothing was written: ${formatPlural(result.conflicts.length, 'conflict')}.`);
      break;
  }
  for (const file of result.applied) {
    // What an undo does to a file is the reverse of the word: one that was added is gone.
    lines.push(verb === 'Applied' ? `  ${file.how}  ${clean(file.path)}` : `  ${clean(file.path)}`);
  }
  for (const file of result.skipped) lines.push(`  skipped (${file.reason})  ${clean(file.path)}`);
  for (const conflict of result.conflicts) {
    lines.push(`  conflict  ${clean(conflict.path)}: ${clean(conflict.message)}`);
  }
  if (result.status === 'refused' && verb === 'Applied') {
    lines.push('Change these files in the checkout, name only others, or add --skip-conflicts.');
  }
  if (result.coverage === 'merged') lines.push('Files were merged: no gate has seen this content.');
  if (verb === 'Applied' && result.status === 'applied' && result.undoRef !== null)
    lines.push(`To take it back: delegate undo ${job.id}`);
  return lines.join('\n');
}

function committed(commit: string, files: number, job: JobRecord): string[] {
  const branch = clean(job.worktree?.branch ?? '');
  return [
    `Committed ${formatPlural(files, 'file')} of ${job.id} as ${commit.slice(0, 12)} on the branch ${branch}. Your checkout is as it was.`,
    `To take it there: git merge ${branch}`,
  ];
}

function clean(text: string): string {
  return sanitiseLine(text, 400);
}
