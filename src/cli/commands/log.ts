import { sanitiseText } from '../../base/sanitise.ts';
import { isOver } from '../../server/toolAnswers.ts';
import type { BridgeApi } from '../../server/bridgeApi.ts';
import type { CliContext } from '../cliContext.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag, numberOption, positional, wordOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';
import { newLines } from '../newLines.ts';

const LOG_NAMES = ['transcript', 'events', 'gate', 'requests', 'host'] as const;
type LogName = (typeof LOG_NAMES)[number];

const DEFAULT_LINES = 80;
const FOLLOW_LINES = 5_000;
/** A transcript grows without the record changing, so a follower looks by itself too. */
const FOLLOW_MS = 500;

export const log: Command = {
  usage: 'log <job> [-f] [--lines N] [--what WORD] [--json]',
  description:
    'Shows the last lines of what a job did: its transcript or, with --what, another of its logs.',
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
    const what = wordOption(args, 'what', LOG_NAMES) ?? 'transcript';
    const isJson = flag(args, 'json');
    if (flag(args, 'follow') && !isJson) {
      await follow({ id, what, tailLines }, bridge, context);
      return 0;
    }
    const found = bridge.log(id, { tailLines, what });
    if (isJson) printJson(context, found);
    else if (found.text !== '') printText(context, sanitiseText(found.text));
    else if (isOver(found)) printText(context, `The job left no such log (${what}).`);
    else printText(context, `Nothing has been written yet; the job is ${found.status}.`);
    return 0;
  },
};

/** Returns when the job is over and its last line is shown. */
async function follow(
  { id, what, tailLines }: { id: string; what: LogName; tailLines: number },
  bridge: BridgeApi,
  context: CliContext,
): Promise<void> {
  const read = (): { lines: string[]; isOver: boolean } => {
    // The status first: what is written before the end is then in the text.
    const { status } = bridge.job(id);
    const { text } = bridge.log(id, { tailLines: FOLLOW_LINES, what });
    return { lines: text === '' ? [] : text.split('\n'), isOver: isOver({ status }) };
  };
  const show = (lines: readonly string[]): void =>
    printText(context, sanitiseText(lines.join('\n')));
  let seen = read();
  show(seen.lines.slice(-tailLines));
  while (!seen.isOver) {
    await bridge.wait([id], { mode: 'all', timeoutMs: FOLLOW_MS });
    const next = read();
    show(newLines(seen.lines, next.lines));
    seen = next;
  }
}
