import { type Command, JSON_OPTION } from '../command.ts';
import { formatAccept } from '../formatAccept.ts';
import { flag, positional } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const undo: Command = {
  usage: 'undo <job> [--json]',
  description: 'Puts the files of the last accept of a job back as they were before it.',
  minPositionals: 1,
  maxPositionals: 1,
  options: { json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const { id } = bridge.job(positional(args, 0));
    const outcome = await bridge.reviews.undoAccept(id, context.caller);
    if (flag(args, 'json')) printJson(context, outcome);
    else printText(context, formatAccept(outcome, 'Put back'));
    return outcome.result.status === 'refused' ? 1 : 0;
  },
};
