import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseText } from '../../base/sanitise.ts';
import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeApi } from '../../server/bridgeApi.ts';
import type { CliContext } from '../cliContext.ts';
import { type Command, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import { flag, positional, textOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const gate: Command = {
  usage: 'gate <job> [--gate NAME] [--json]\n       delegate gate <name> [--json]',
  description:
    "With a job: runs a gate in the job's worktree as it is now.\nWith the name of a gate in models.yaml: runs it on what is committed here, in a tree of its own that goes afterwards.",
  minPositionals: 1,
  maxPositionals: 1,
  exitCodes: '0 the gate passed, 1 it did not.',
  options: {
    gate: { type: 'string', value: 'NAME', help: "Gate to run on the job; default: the job's own" },
    config: CONFIG_OPTION,
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const bridge = await context.bridge(textOption(args, 'config'));
    const what = positional(args, 0);
    const ofJob = textOption(args, 'gate') ?? null;
    const isJson = flag(args, 'json');
    const { gates } = await bridge.configState(context.cwd);
    if (ofJob === null && gates.includes(what)) return tryOut(bridge, context, what, isJson);
    const { id } = ofJob === null ? jobOrGate(bridge, what, gates) : bridge.job(what);
    const job = await bridge.reviews.runGate(id, ofJob);
    const result = job.gate;
    if (isJson) printJson(context, { jobId: id, gate: result });
    else if (result === null) printText(context, 'The job has no gate.');
    else
      printText(
        context,
        `${sanitiseText(result.tail).trimEnd()}\nGate ${result.name}: ${result.status}`.trimStart(),
      );
    return result?.status === 'passed' ? 0 : 1;
  },
};

/** @throws BridgeError as `job` does; a name that is neither a job's nor a gate's may have been meant as either */
function jobOrGate(bridge: BridgeApi, what: string, gates: readonly string[]): JobRecord {
  try {
    return bridge.job(what);
  } catch (error) {
    if (!(error instanceof BridgeError) || error.kind !== 'unknown_job') throw error;
    const known =
      gates.length === 0 ? 'models.yaml has none' : `models.yaml has ${gates.join(', ')}`;
    throw new BridgeError('unknown_job', `There is neither a job nor a gate ${what}.`, {
      hint: `Gates: ${known}. Jobs: see "delegate jobs".`,
      details: error.details,
    });
  }
}

/** A terminal sees the lines as they come, and Ctrl-C ends the gate with all its processes. */
async function tryOut(
  bridge: BridgeApi,
  context: CliContext,
  name: string,
  isJson: boolean,
): Promise<number> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  const isLive = !isJson && context.stderr.isTTY === true;
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    const tried = await bridge.tryGate(name, {
      cwd: context.cwd,
      signal: stop.signal,
      ...(isLive ? { onLine: (line) => void context.stderr.write(`${line}\n`) } : {}),
    });
    if (isJson) printJson(context, { gate: name, ...tried });
    else {
      const printed = isLive ? '' : sanitiseText(tried.tail).trimEnd();
      const notes = tried.warnings.map((warning) => `Note: ${sanitiseText(warning)}`);
      const end = `Gate ${name}: ${tried.status} on ${tried.commit.slice(0, 12)}`;
      printText(context, [printed, ...notes, end].filter((line) => line !== '').join('\n'));
    }
    return tried.status === 'passed' ? 0 : 1;
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
