import { type Command, JSON_OPTION } from '../command.ts';
import { formatReceipt } from '../formatReceipt.ts';
import { flag, positional } from '../optionReaders.ts';
import { terminalColumns } from '../terminalColumns.ts';
import { printJson, printText } from '../print.ts';

export const show: Command = {
  usage: 'show <job> [--json]',
  description:
    'Shows the receipt of a job: who answered and where, what it changed, gate and review.',
  minPositionals: 1,
  maxPositionals: 1,
  options: { json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const job = bridge.job(positional(args, 0));
    const position = job.status === 'queued' ? bridge.queuePosition(job.id) : null;
    if (flag(args, 'json')) printJson(context, { job, queuePosition: position });
    else
      printText(
        context,
        formatReceipt(job, context.now(), position, terminalColumns(context.stdout)),
      );
    return 0;
  },
};
