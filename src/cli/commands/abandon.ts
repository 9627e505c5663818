import { type Command, JSON_OPTION } from '../command.ts';
import { flag, positional } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const abandon: Command = {
  usage: 'abandon <job> [--json]',
  description: 'Ends the review of a job without a decision about its content.',
  minPositionals: 1,
  maxPositionals: 1,
  options: { json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const { id } = bridge.job(positional(args, 0));
    const job = await bridge.abandon(id, context.caller);
    if (flag(args, 'json')) printJson(context, { job });
    else printText(context, `Abandoned ${job.id}.`);
    return 0;
  },
};
