import { isOver } from '../../server/toolAnswers.ts';
import { watchCommand } from '../../server/watchCommand.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag, positional, textOption, wordOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const retry: Command = {
  usage: 'retry <job> [--endpoint NAME] [--model NAME] [--policy WORD] [--json]',
  description:
    'Queues the task of a job again as it was asked for: same brief, folder, isolation, gate and limits.\nIt gets a session and a worktree of its own; the first result stays as it is.',
  minPositionals: 1,
  maxPositionals: 1,
  exitCodes: '0 the job was taken, 1 it was refused.',
  options: {
    endpoint: { type: 'string', value: 'NAME', help: 'Run it there instead' },
    model: {
      type: 'string',
      value: 'NAME',
      help: 'Run it with this one instead, on whatever endpoint serves it',
    },
    policy: { type: 'string', value: 'WORD', help: 'local-only, prefer-local or any' },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const given = {
      endpoint: textOption(args, 'endpoint'),
      model: textOption(args, 'model'),
      policy: wordOption(args, 'policy', ['local-only', 'prefer-local', 'any']),
    };
    const options = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    );
    const job = await bridge.retry(positional(args, 0), options, context.caller);
    const watch = watchCommand(bridge.stateDir, [job.id]);
    if (flag(args, 'json')) printJson(context, { job, ...(isOver(job) ? {} : { watch }) });
    else if (isOver(job))
      printText(context, `${job.id} was refused: ${job.failure?.message ?? job.status}`);
    else printText(context, `${job.id}\nTo wait for it: ${watch}`);
    return isOver(job) ? 1 : 0;
  },
};
