import { type Command, JSON_OPTION } from '../command.ts';
import { flag, positional } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const restore: Command = {
  usage: 'restore <job> [--json]',
  description: 'Brings a rejected job back for review.',
  minPositionals: 1,
  maxPositionals: 1,
  options: { json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const { id } = bridge.job(positional(args, 0));
    const job = await bridge.reviews.restore(id, context.caller);
    if (flag(args, 'json')) printJson(context, { job });
    else printText(context, `Restored ${job.id}. To look at it: delegate diff ${job.id}`);
    return 0;
  },
};
