import { sanitiseLine } from '../../base/sanitise.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const gc: Command = {
  usage: 'gc [--dry-run] [--json]',
  description:
    'Removes what retention says may go, by age and size; never a job whose review is pending.',
  minPositionals: 0,
  maxPositionals: 0,
  options: {
    'dry-run': { type: 'boolean', help: 'Say what would go and remove nothing' },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const isDryRun = flag(args, 'dry-run');
    const report = await (await context.bridge()).gc({ dryRun: isDryRun });
    if (flag(args, 'json')) {
      printJson(context, report);
      return 0;
    }
    const verb = isDryRun ? 'Would remove' : 'Removed';
    const lines = [
      `${verb} ${formatPlural(report.removedJobs.length, 'job')}, ${(report.freedBytes / 1_048_576).toFixed(1)} MiB.`,
      ...report.kept.map((job) => `  kept ${job.jobId}: ${sanitiseLine(job.why, 200)}`),
      ...report.needsCleanUp.map(
        (job) =>
          `  needs a hand: ${job.jobId}, ${sanitiseLine(job.what, 300)}: ${sanitiseLine(job.why, 200)}`,
      ),
    ];
    printText(context, lines.join('\n'));
    return 0;
  },
};
