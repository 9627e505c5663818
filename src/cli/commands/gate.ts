import { sanitiseText } from '../../base/sanitise.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag, positional, textOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const gate: Command = {
  usage: 'gate <job> [--gate NAME] [--json]',
  description: "Runs a gate in a job's worktree as it is now.",
  minPositionals: 1,
  maxPositionals: 1,
  exitCodes: '0 the gate passed, 1 it did not.',
  options: {
    gate: { type: 'string', value: 'NAME', help: "Gate to run; default: the job's own" },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const { id } = bridge.job(positional(args, 0));
    const job = await bridge.reviews.runGate(id, textOption(args, 'gate') ?? null);
    const result = job.gate;
    if (flag(args, 'json')) printJson(context, { jobId: id, gate: result });
    else if (result === null) printText(context, 'The job has no gate.');
    else
      printText(
        context,
        `${sanitiseText(result.tail).trimEnd()}\nGate ${result.name}: ${result.status}`.trimStart(),
      );
    return result?.status === 'passed' ? 0 : 1;
  },
};
