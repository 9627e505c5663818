import { type Command, JSON_OPTION } from '../command.ts';
import { flag, numberOption } from '../optionReaders.ts';
import { waitForJobs } from '../waitForJobs.ts';

export const wait: Command = {
  usage: 'wait [--all] [--timeout SECONDS] [--json] <job>…',
  description:
    'Prints one line for each job when it ends. No server need be running: it reads the store, and a job whose\nprocess has died is reported as lost at once.',
  minPositionals: 1,
  maxPositionals: 1_000,
  exitCodes:
    '0 all jobs are done and no gate failed, 1 a job ended without success, its gate failed or was\ntampered with, or an id fits several jobs, 2 an id did not appear within 30 s, 3 the time was over. Whichever limit\ncomes first decides.',
  options: {
    all: { type: 'boolean', help: 'Wait for all, then print' },
    timeout: { type: 'string', value: 'SECONDS', help: 'Give up after so long' },
    json: { ...JSON_OPTION, help: 'Print one JSON object per line' },
  },
  run: async (args, context) => {
    const timeoutS = numberOption(args, 'timeout');
    return waitForJobs({
      ids: [...new Set(args.positionals)],
      isPrintedAtEnd: flag(args, 'all'),
      isJson: flag(args, 'json'),
      timeoutMs: timeoutS === undefined ? null : timeoutS * 1000,
      bridge: await context.bridge(),
      context,
    });
  },
};
