import { sanitiseText } from '../../base/sanitise.ts';
import { isOver } from '../../server/toolAnswers.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag, numberOption, positional, wordOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';
import { newText } from '../newText.ts';

const DEFAULT_LINES = 80;
const FOLLOW_LINES = 5_000;
/** A transcript grows without the record changing, so a follower looks by itself too. */
const FOLLOW_MS = 500;

export const log: Command = {
  usage: 'log <job> [-f] [--lines N] [--what WORD] [--json]',
  description: 'Shows the last lines of what a job did.',
  minPositionals: 1,
  maxPositionals: 1,
  options: {
    follow: {
      type: 'boolean',
      short: 'f',
      help: 'Go on showing new lines until the job has ended',
    },
    lines: { type: 'string', short: 'n', value: 'N', help: `How many; default ${DEFAULT_LINES}` },
    what: { type: 'string', value: 'WORD', help: 'transcript, events, gate, requests or host' },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const { id } = bridge.job(positional(args, 0));
    const tailLines = numberOption(args, 'lines', { min: 1, isWhole: true }) ?? DEFAULT_LINES;
    const what =
      wordOption(args, 'what', ['transcript', 'events', 'gate', 'requests', 'host']) ??
      'transcript';
    let seen = bridge.log(id, { tailLines, what });
    if (flag(args, 'json')) {
      printJson(context, seen);
      return 0;
    }
    if (seen.text === '' && !flag(args, 'follow')) {
      printText(context, `Nothing has been written yet; the job is ${seen.status}.`);
      return 0;
    }
    printText(context, sanitiseText(seen.text));
    while (flag(args, 'follow') && !isOver(seen)) {
      await bridge.wait([id], { mode: 'all', timeoutMs: FOLLOW_MS });
      const next = bridge.log(id, { tailLines: FOLLOW_LINES, what });
      printText(context, sanitiseText(newText(seen.text, next.text)));
      seen = next;
    }
    return 0;
  },
};
