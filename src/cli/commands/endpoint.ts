import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { EndpointProbe } from '../../bridge/endpoints/endpointProbe.ts';
import type { TriedEndpoint } from '../../bridge/triedEndpoint.ts';
import type { BridgeApi } from '../../server/bridgeApi.ts';
import type { CliContext } from '../cliContext.ts';
import { type Command, type CommandArgs, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import { formatTried, servedLine } from '../formatTried.ts';
import { flag, textOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const endpoint: Command = {
  usage:
    'endpoint add <name> <url> [--backend WORD] [--host TEXT] [--notes TEXT]\n                        [--secret NAME] [--json]\n       delegate endpoint try <url> [--secret NAME] [--model NAME] [--tools | --no-tools]\n                        [--json]',
  description:
    'add: asks a model server what it is and writes it to the file beside models.yaml that is made for this.\ntry: says what answers there, whether a model calls tools, and the smallest entry for models.yaml; writes nothing.\n"delegate models" lists the endpoints; to change or remove one, edit that file or models.yaml.',
  minPositionals: 2,
  maxPositionals: 3,
  exitCodes: '0 when it was written, for try: when it can be used now; 1 when not.',
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
    model: { type: 'string', value: 'NAME', help: 'try: the model that is asked to call a tool' },
    tools: {
      type: 'boolean',
      help: 'try: ask a model to call a tool, also in a cloud or when it has to be loaded',
    },
    'no-tools': { type: 'boolean', help: 'try: ask no model anything' },
    config: CONFIG_OPTION,
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const [verb, ...rest] = args.positionals;
    const bridge = (): Promise<BridgeApi> => context.bridge(textOption(args, 'config'));
    if (verb === 'add' && rest.length === 2) {
      const [name = '', address = ''] = rest;
      return add(await bridge(), args, context, { name, address });
    }
    if (verb === 'try' && rest.length === 1)
      return tryOut(await bridge(), args, context, rest[0] ?? '');
    const said =
      verb === 'add' || verb === 'try'
        ? `"${verb}" takes ${verb === 'add' ? 'a name and an address' : 'an address'}`
        : `there is no "${verb}"`;
    throw new BridgeError('bad_argument', `delegate endpoint: ${said}.`, {
      hint: `Usage: delegate ${endpoint.usage}`,
    });
  },
};

async function add(
  bridge: BridgeApi,
  args: CommandArgs,
  context: CliContext,
  { name, address }: { name: string; address: string },
): Promise<number> {
  const host = textOption(args, 'host');
  const notes = textOption(args, 'notes');
  const secret = textOption(args, 'secret');
  const tried = await bridge.endpoints.try(address, {
    cwd: context.cwd,
    secret: secret ?? null,
    isToolCheckWanted: false,
  });
  const backend = textOption(args, 'backend') ?? backendOf(tried);
  const done = await bridge.endpoints.register(
    name,
    {
      baseUrl: tried.baseUrl,
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
    const lines = [
      `Wrote ${name} to ${file}.`,
      servedLine(probe),
      nextStep(name, tried.baseUrl, probe),
    ];
    printText(context, lines.filter((line) => line !== '').join('\n'));
  }
  return 0;
}

async function tryOut(
  bridge: BridgeApi,
  args: CommandArgs,
  context: CliContext,
  address: string,
): Promise<number> {
  const isWanted = flag(args, 'tools') ? true : flag(args, 'no-tools') ? false : null;
  const tried = await bridge.endpoints.try(address, {
    cwd: context.cwd,
    secret: textOption(args, 'secret') ?? null,
    model: textOption(args, 'model') ?? null,
    isToolCheckWanted: isWanted,
  });
  if (flag(args, 'json')) printJson(context, tried);
  else printText(context, formatTried(tried));
  return tried.probe.state === 'up' ? 0 : 1;
}

function backendOf({ entry }: TriedEndpoint): string | undefined {
  return entry.find(({ key }) => key === 'backend')?.value;
}

function nextStep(name: string, baseUrl: string, { why, hint, state }: EndpointProbe): string {
  if (state === 'up') return '';
  if (why !== 'wants_key') return sanitiseLine(hint, 400);
  return sanitiseLine(
    `Keep its key: delegate secret set ${name}   Then: delegate endpoint add ${name} ${baseUrl} --secret ${name}`,
    1_000,
  );
}
