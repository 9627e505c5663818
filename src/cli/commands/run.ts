import { createInterface } from 'node:readline/promises';
import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord, JobRequest } from '../../protocol/job.ts';
import type { BridgeApi } from '../../server/bridgeApi.ts';
import { isOver, isSuccess } from '../../server/toolAnswers.ts';
import { watchCommand } from '../../server/watchCommand.ts';
import { type Command, type CommandArgs, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import type { CliContext } from '../cliContext.ts';
import { followJob } from '../followJob.ts';
import { formatReceipt } from '../formatReceipt.ts';
import {
  flag,
  listOption,
  numberOption,
  positional,
  textOption,
  wordOption,
} from '../optionReaders.ts';
import { terminalColumns } from '../terminalColumns.ts';
import { printJson, printText } from '../print.ts';

const INTERRUPTED = 130;
const MAX_STDIN_BYTES = 1024 * 1024;

export const run: Command = {
  usage: 'run "task" [options]',
  description:
    'Hands the task to a model, follows the job and prints its receipt. "-" reads the task from stdin.\nThe job goes on when this command is interrupted. What is not said here is as "defaults" in models.yaml has it.',
  minPositionals: 1,
  maxPositionals: 1,
  exitCodes:
    '0 the job is done, and its gate passed or it has none; 1 it failed, or its gate failed or was\ntampered with; 130 interrupted while the job goes on. With --no-wait: 0 the job was taken, 1 it was refused.',
  options: {
    model: { type: 'string', value: 'NAME', help: 'Served id, glob or name' },
    endpoint: { type: 'string', value: 'NAME', help: 'Endpoint by its name in the configuration' },
    policy: {
      type: 'string',
      value: 'WORD',
      help: 'local-only (nothing leaves this machine, LAN or tailnet), prefer-local or any',
    },
    cwd: { type: 'string', value: 'DIR', help: 'Folder to work in; default: this one' },
    isolation: {
      type: 'string',
      value: 'WORD',
      help: 'worktree (the checkout stays as it is until you accept) or none (works in it)',
    },
    gate: {
      type: 'string',
      value: 'NAME',
      help: 'Check that decides about the result: one of gates in models.yaml',
    },
    'read-only': { type: 'boolean', help: 'The job may look and not change anything' },
    kind: { type: 'string', value: 'WORD', help: 'Family name for the statistics' },
    agent: {
      type: 'string',
      value: 'NAME',
      help: 'Agent definition whose instructions apply (runner loop)',
    },
    runner: {
      type: 'string',
      value: 'WORD',
      help: 'What drives the model: claude-code, or loop, which needs nothing installed',
    },
    sandbox: { type: 'boolean', help: 'Its commands have no network (runner loop)' },
    'max-turns': { type: 'string', value: 'N', help: 'Turns the model may take' },
    'max-tokens': { type: 'string', value: 'N', help: 'Tokens of one answer' },
    timeout: { type: 'string', value: 'SECONDS', help: 'Time the job may run' },
    'repair-rounds': {
      type: 'string',
      value: 'N',
      help: 'How often a failed gate goes back to the model',
    },
    'may-change': {
      type: 'string',
      multiple: true,
      value: 'PATH',
      help: 'Protected path it may change; repeatable',
    },
    from: {
      type: 'string',
      value: 'WORD',
      help: 'head or working-tree (with uncommitted changes)',
    },
    resume: { type: 'string', value: 'JOB', help: 'Go on with the session of this job' },
    'no-wait': { type: 'boolean', help: 'Print the job and leave' },
    config: CONFIG_OPTION,
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const request = await requestOf(args, context);
    const bridge = await context.bridge(textOption(args, 'config'));
    const job = await bridge.submit(request, context.caller, context.cwd);
    const isJson = flag(args, 'json');
    if (flag(args, 'no-wait') && !isOver(job)) return printStarted(job, bridge, context, isJson);
    if (!isJson) context.stderr.write(`${job.id}\n`);
    const interrupt = new AbortController();
    const onSignal = (): void => interrupt.abort();
    process.once('SIGINT', onSignal);
    const end = await followJob(job.id, bridge, context, interrupt.signal).finally(() =>
      process.off('SIGINT', onSignal),
    );
    if (!isOver(end)) return interrupted(end, bridge, context, isJson);
    if (isJson) printJson(context, { job: end });
    else printText(context, receiptWithNextStep(end, context));
    return isSuccess(end) ? 0 : 1;
  },
};

async function requestOf(args: CommandArgs, context: CliContext): Promise<JobRequest> {
  const typed = positional(args, 0);
  const task = typed === '-' ? await readAll(context.stdin) : typed;
  if (task.trim() === '')
    throw new BridgeError('bad_argument', 'The task is empty.', {
      hint: 'Usage: delegate run "task"',
    });
  const found = {
    model: textOption(args, 'model'),
    endpoint: textOption(args, 'endpoint'),
    policy: wordOption(args, 'policy', ['local-only', 'prefer-local', 'any']),
    cwd: textOption(args, 'cwd'),
    isolation: wordOption(args, 'isolation', ['worktree', 'none']),
    gate: textOption(args, 'gate'),
    readOnly: flag(args, 'read-only') ? true : undefined,
    kind: textOption(args, 'kind'),
    agent: textOption(args, 'agent'),
    runner: wordOption(args, 'runner', ['claude-code', 'loop']),
    sandbox: flag(args, 'sandbox') ? true : undefined,
    maxTurns: numberOption(args, 'max-turns', { min: 1, isWhole: true }),
    maxTokens: numberOption(args, 'max-tokens', { min: 1, isWhole: true }),
    timeoutS: numberOption(args, 'timeout', { min: 1 }),
    repairRounds: numberOption(args, 'repair-rounds', { isWhole: true }),
    mayChange: listOption(args, 'may-change'),
    from: wordOption(args, 'from', ['head', 'working-tree']),
    resumeJob: textOption(args, 'resume'),
  };
  const given = Object.entries(found).filter(([, value]) => value !== undefined);
  return { task, ...Object.fromEntries(given) };
}

async function readAll(stdin: CliContext['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array);
    sizeBytes += bytes.length;
    if (sizeBytes > MAX_STDIN_BYTES) {
      throw new BridgeError('bad_argument', 'The task on stdin is longer than 1 MiB.');
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}

function printStarted(
  job: JobRecord,
  bridge: BridgeApi,
  context: CliContext,
  isJson: boolean,
): number {
  const watch = watchCommand(bridge.stateDir, [job.id]);
  if (isJson) printJson(context, { job, watch });
  else printText(context, `${job.id}\nTo wait for it: ${watch}`);
  return 0;
}

function receiptWithNextStep(job: JobRecord, context: CliContext): string {
  const receipt = formatReceipt(job, context.now(), null, terminalColumns(context.stdout));
  if (job.review.status !== 'pending') return receipt;
  // What ended badly or failed its gate is not taken without saying so.
  const force = isSuccess(job) ? '' : ' --force';
  return [
    receipt,
    '',
    `To look at it: delegate diff ${job.id}`,
    `To take it:    delegate accept ${job.id}${force}`,
    `To drop it:    delegate reject ${job.id}`,
  ].join('\n');
}

/** Ctrl+C stops the looking, not the job; on a terminal it asks whether that is what was meant. */
async function interrupted(
  job: JobRecord,
  bridge: BridgeApi,
  context: CliContext,
  isJson: boolean,
): Promise<number> {
  if (!isJson && context.stdin.isTTY === true && (await wantsCancel(context))) {
    const ended = await bridge.cancel(job.id, context.caller);
    printText(context, formatReceipt(ended, context.now(), null, terminalColumns(context.stdout)));
    return INTERRUPTED;
  }
  context.stderr.write(
    `The job goes on. To wait for it: ${watchCommand(bridge.stateDir, [job.id])}\nTo end it: delegate cancel ${job.id}\n`,
  );
  return INTERRUPTED;
}

async function wantsCancel({ stdin, stderr }: CliContext): Promise<boolean> {
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    // A second Ctrl+C means: let me go.
    const left = new Promise<string>((resolve) => prompt.once('SIGINT', () => resolve('')));
    const question = prompt.question('Leave the job running (Enter) or cancel it (c)? ');
    return /^c/i.test((await Promise.race([question, left])).trim());
  } finally {
    prompt.close();
  }
}
