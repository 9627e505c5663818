import { sanitiseLine } from '../../base/sanitise.ts';
import { type Command, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import { flag, textOption, wordOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const route: Command = {
  usage: 'route [--model NAME] [--endpoint NAME] [--policy WORD] [--json]',
  description:
    'Explains where a task with these options would run, by which rule, and why not elsewhere. Starts nothing.',
  minPositionals: 0,
  maxPositionals: 0,
  exitCodes: '0 there is a place for it, 1 there is none.',
  options: {
    model: { type: 'string', value: 'NAME', help: 'Served id, glob or name' },
    endpoint: { type: 'string', value: 'NAME', help: 'Endpoint by its name in the configuration' },
    policy: { type: 'string', value: 'WORD', help: 'local-only, prefer-local or any' },
    config: CONFIG_OPTION,
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const bridge = await context.bridge(textOption(args, 'config'));
    const model = textOption(args, 'model');
    const endpoint = textOption(args, 'endpoint');
    const policy = wordOption(args, 'policy', ['local-only', 'prefer-local', 'any']);
    const found = await bridge.explainRoute(
      {
        task: 'explain',
        ...(model === undefined ? {} : { model }),
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(policy === undefined ? {} : { policy }),
      },
      context.cwd,
    );
    if (flag(args, 'json')) {
      printJson(context, found);
      return found.ok ? 0 : 1;
    }
    const isSaid = (reason: string): boolean =>
      found.failure !== null && `${found.failure.message} ${found.failure.hint}`.includes(reason);
    const lines = found.ok
      ? [
          `${found.model ?? 'whatever model answers'} at ${found.endpoint ?? 'no endpoint'}, by rule ${found.rule ?? 'none'}, policy ${found.policy}`,
        ]
      : [found.failure?.message ?? 'There is no place for it.', found.failure?.hint ?? ''];
    for (const candidate of found.considered) {
      if (candidate.reason !== null && isSaid(candidate.reason)) continue;
      const name =
        candidate.model === null ? candidate.endpoint : `${candidate.endpoint}, ${candidate.model}`;
      lines.push(`  ${name}: ${candidate.reason ?? (found.ok ? 'taken' : 'could answer')}`);
    }
    lines.push(...found.warnings.map((warning) => `Warning: ${warning}`));
    printText(
      context,
      lines
        .filter((line) => line !== '')
        .map((line) => clean(line))
        .join('\n'),
    );
    return found.ok ? 0 : 1;
  },
};

/** Keeps the indent, which the sanitiser would take away. */
function clean(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ''}${sanitiseLine(line, 400)}`;
}
