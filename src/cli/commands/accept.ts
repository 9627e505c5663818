import { type Command, JSON_OPTION } from '../command.ts';
import { formatAccept } from '../formatAccept.ts';
import { flag, positional } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const accept: Command = {
  usage: 'accept <job> [files…] [--dry-run] [--skip-conflicts] [--branch] [--force] [--json]',
  description:
    'Applies what a job changed, all or the named files, to the checkout by three-way merge.\nIt writes all of it or, when a file is in conflict, nothing.',
  minPositionals: 1,
  maxPositionals: 1_000,
  exitCodes:
    '0 it is in the checkout (with --skip-conflicts: all but the conflicts), 1 nothing was written.',
  options: {
    'dry-run': { type: 'boolean', help: 'Say what would happen and write nothing' },
    'skip-conflicts': { type: 'boolean', help: 'Apply the files without conflicts' },
    branch: { type: 'boolean', help: 'Commit to a branch instead of the checkout' },
    force: { type: 'boolean', help: 'Also when the job did not end well or its gate did not pass' },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const { id } = bridge.job(positional(args, 0));
    const files = args.positionals.slice(1);
    const outcome = await bridge.reviews.accept(id, context.caller, {
      ...(files.length === 0 ? {} : { files }),
      how: flag(args, 'branch') ? 'branch' : 'working-tree',
      dryRun: flag(args, 'dry-run'),
      skipConflicts: flag(args, 'skip-conflicts'),
      isGateFailureAccepted: flag(args, 'force'),
    });
    if (flag(args, 'json')) printJson(context, outcome);
    else printText(context, formatAccept(outcome, 'Applied'));
    return outcome.result.status === 'refused' ? 1 : 0;
  },
};
