import { type Command, JSON_OPTION } from '../command.ts';
import { flag, positional } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const reject: Command = {
  usage: 'reject <job> [--json]',
  description: 'Drops the worktree of a job. Its content stays behind a ref until retention ends.',
  minPositionals: 1,
  maxPositionals: 1,
  options: { json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const { id } = bridge.job(positional(args, 0));
    const job = await bridge.reviews.reject(id, context.caller);
    if (flag(args, 'json')) printJson(context, { job });
    else printText(context, `Rejected ${job.id}. To bring it back: delegate restore ${job.id}`);
    return 0;
  },
};
