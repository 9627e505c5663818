import { isOver } from '../../server/toolAnswers.ts';
import { statusLine } from '../../protocol/statusLine.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag, positional } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const cancel: Command = {
  usage: 'cancel <job> [--json]',
  description: 'Ends a job and every process of it. What it had changed is kept in its worktree.',
  minPositionals: 1,
  maxPositionals: 1,
  exitCodes: '0 the job is over, also when it was so before; 1 it is not.',
  options: { json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const before = bridge.job(positional(args, 0));
    const job = isOver(before) ? before : await bridge.cancel(before.id, context.caller);
    if (flag(args, 'json')) printJson(context, { job });
    else if (isOver(before))
      printText(context, `${job.id} was over already: ${statusLine(job, context.now())}`);
    else printText(context, `${job.id}: ${statusLine(job, context.now())}`);
    return 0;
  },
};
