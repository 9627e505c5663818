import { BridgeError } from '../../base/bridgeError.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag, positional } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const reject: Command = {
  usage: 'reject <job> [files…] [--take-back] [--json]',
  description:
    'Drops the worktree of a job. Its content stays behind a ref until retention ends.\nWith files only these are rejected: they are left out when the rest is accepted, and nothing is deleted.',
  minPositionals: 1,
  maxPositionals: 1_000,
  options: {
    'take-back': { type: 'boolean', help: 'The files are to be decided about again' },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const { id } = bridge.job(positional(args, 0));
    const files = args.positionals.slice(1);
    const isTakenBack = flag(args, 'take-back');
    if (isTakenBack && files.length === 0) {
      throw new BridgeError('bad_argument', 'Which files are to be taken back?', {
        hint: `Name them; a whole job comes back with "delegate restore ${id}".`,
      });
    }
    const job =
      files.length === 0
        ? await bridge.reviews.reject(id, context.caller)
        : await bridge.reviews.dropFiles(id, context.caller, { files, isTakenBack });
    if (flag(args, 'json')) printJson(context, { job });
    else if (isTakenBack)
      printText(
        context,
        `${formatPlural(files.length, 'file')} of ${id} can be decided about again.`,
      );
    else if (files.length > 0 && job.worktree?.kept === true)
      printText(
        context,
        `Rejected ${formatPlural(files.length, 'file')} of ${id}. To take the rest: delegate accept ${id}`,
      );
    else printText(context, `Rejected ${id}. To bring it back: delegate restore ${id}`);
    return 0;
  },
};
