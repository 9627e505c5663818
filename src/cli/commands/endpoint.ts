import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { EndpointProbe } from '../../bridge/endpoints/endpointProbe.ts';
import { type Command, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import { flag, positional, textOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const endpoint: Command = {
  usage:
    'endpoint add <name> <url> [--backend WORD] [--host TEXT] [--notes TEXT]\n                        [--secret NAME] [--json]',
  description:
    'Asks a model server what it is and writes it to the file beside models.yaml that is made for this.\n"delegate models" lists the endpoints; to change or remove one, edit that file or models.yaml.',
  minPositionals: 3,
  maxPositionals: 3,
  options: {
    backend: {
      type: 'string',
      value: 'WORD',
      help: 'llama.cpp, vllm, ollama …; default: found out by asking',
    },
    host: { type: 'string', value: 'TEXT', help: 'Where it runs, in words' },
    notes: { type: 'string', value: 'TEXT', help: 'What to know about it' },
    secret: {
      type: 'string',
      value: 'NAME',
      help: 'Its key, as kept by "delegate secret set NAME"',
    },
    config: CONFIG_OPTION,
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const [verb, name, baseUrl] = [positional(args, 0), positional(args, 1), positional(args, 2)];
    if (verb !== 'add') {
      throw new BridgeError('bad_argument', `delegate endpoint: there is no "${verb}".`, {
        hint: `Usage: delegate ${endpoint.usage}`,
      });
    }
    const bridge = await context.bridge(textOption(args, 'config'));
    const backend = textOption(args, 'backend');
    const host = textOption(args, 'host');
    const notes = textOption(args, 'notes');
    const secret = textOption(args, 'secret');
    const done = await bridge.registerEndpoint(
      name,
      {
        baseUrl,
        ...(backend === undefined ? {} : { backend }),
        ...(host === undefined ? {} : { host }),
        ...(notes === undefined ? {} : { notes }),
        ...(secret === undefined ? {} : { secret }),
      },
      context.cwd,
    );
    if (flag(args, 'json')) printJson(context, done);
    else {
      const { probe, file } = done;
      const state =
        probe.state === 'up'
          ? `It answers and serves ${probe.models.map((model) => model.id).join(', ') || 'no model that it names'}.`
          : `It cannot be used now: ${probe.message ?? 'it is down'}`;
      const lines = [
        `Wrote ${name} to ${file}.`,
        sanitiseLine(state, 1_000),
        nextStep(name, baseUrl, probe),
      ];
      printText(context, lines.filter((line) => line !== '').join('\n'));
    }
    return 0;
  },
};

function nextStep(name: string, baseUrl: string, { why, hint, state }: EndpointProbe): string {
  if (state === 'up') return '';
  if (why !== 'wants_key') return sanitiseLine(hint, 400);
  return sanitiseLine(
    `Keep its key: delegate secret set ${name}   Then: delegate endpoint add ${name} ${baseUrl} --secret ${name}`,
    1_000,
  );
}
