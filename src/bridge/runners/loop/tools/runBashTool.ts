import { commandSlot } from './commandSlot.ts';
import type { LoopTool, ToolContext } from './loopTool.ts';
import { runCommand, type CommandRun } from './runCommand.ts';
import { ToolRefusal } from './toolRefusal.ts';
import { toolSpec } from './toolSpec.ts';
import type { ToolOutcome } from './toolTypes.ts';

/** How far above the usual limit a call may ask. */
const LONGEST_FACTOR = 10;
/** The kernel takes up to 128 KiB as one argument. */
const MAX_COMMAND_BYTES = 120_000;

export function runBashTool(context: ToolContext): LoopTool {
  const { settings, lockDir } = context;
  const usualS = settings.bash_timeout_s;
  const longestS = usualS * LONGEST_FACTOR;
  const network =
    context.jail === null
      ? ''
      : ' There is no network, and only the work folder and /tmp can be written.';
  return {
    spec: toolSpec(
      'run_bash',
      `Runs a command line in the work folder, each in a new shell without input.${network}`,
      {
        command: { type: 'string', description: 'The command line.', isRequired: true },
        timeout_s: {
          type: 'integer',
          description: `Time limit in seconds; left out: ${usualS}; at most ${longestS}.`,
        },
      },
    ),
    run: async (input, signal) => {
      const command = input.text('command');
      const wrong = context.refusal(command) ?? notRunnable(command);
      if (wrong !== null) throw new ToolRefusal(wrong);
      const timeoutS = Math.min(longestS, input.limit('timeout_s') ?? usualS);
      const slot =
        lockDir === null ? null : await commandSlot(lockDir, settings.bash_concurrency, signal);
      try {
        return outcomeOf(await runCommand(context, command, timeoutS * 1000, signal), timeoutS);
      } finally {
        slot?.release();
      }
    },
  };
}

function notRunnable(command: string): string | null {
  if (command.trim() === '') return 'The command is empty.';
  if (command.includes('\0')) return 'A command cannot have a NUL character in it.';
  return Buffer.byteLength(command) > MAX_COMMAND_BYTES
    ? `The command has more than ${MAX_COMMAND_BYTES} bytes; write it to a file and run that.`
    : null;
}

function outcomeOf(run: CommandRun, timeoutS: number): ToolOutcome {
  if (run.startError !== null) {
    return {
      text: `The command could not be started: ${run.startError}`,
      isError: true,
      exit: null,
    };
  }
  const text = [
    run.isTimedOut ? `exit_code: none (stopped after ${timeoutS} s)` : `exit_code: ${run.exit}`,
    '--- stdout ---',
    ...(run.stdout === '' ? [] : [run.stdout.replace(/\n$/, '')]),
    '--- stderr ---',
    ...(run.stderr === '' ? [] : [run.stderr.replace(/\n$/, '')]),
    ...(run.isHeld ? ['[something still runs in the background; its further output is lost]'] : []),
    ...(run.isTimedOut
      ? [
          '[stopped by the time limit; the output up to there is above. Ask for less (one test file, a narrower path), set timeout_s, or start a server with & and its output in a file]',
        ]
      : []),
  ].join('\n');
  return { text, isError: run.isTimedOut, exit: run.exit };
}
