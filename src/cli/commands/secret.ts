import { BridgeError } from '../../base/bridgeError.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';
import { readSecret } from '../readSecret.ts';

export const secret: Command = {
  usage: 'secret set <name> | list | delete <name>',
  description:
    'Keeps keys that the configuration refers to as ${secret:NAME}. The value is asked for, or read from stdin; it is\nnever an argument, where other users could see it, and is never shown again.',
  minPositionals: 1,
  maxPositionals: 2,
  exitCodes: '0 when it succeeded, 1 when not, or when there was nothing to delete.',
  options: { json: JSON_OPTION },
  run: async (args, context) => {
    const [verb, name] = args.positionals;
    const isJson = flag(args, 'json');
    if (verb === 'list' && name === undefined) {
      const names = (await context.bridge()).listSecrets();
      if (isJson) printJson(context, { names });
      else printText(context, names.length === 0 ? 'No secrets are kept.' : names.join('\n'));
      return 0;
    }
    if (name === undefined || (verb !== 'set' && verb !== 'delete')) {
      throw new BridgeError('bad_argument', 'delegate secret: say what to do.', {
        hint: `Usage: delegate ${secret.usage}`,
      });
    }
    const bridge = await context.bridge();
    if (verb === 'delete') {
      const wasKept = bridge.deleteSecret(name);
      if (isJson) printJson(context, { wasKept });
      else printText(context, wasKept ? `Deleted ${name}.` : `There was no secret ${name}.`);
      return wasKept ? 0 : 1;
    }
    bridge.setSecret(name, await readSecret(name, context));
    if (isJson) printJson(context, { name });
    else printText(context, `Kept ${name}. Refer to it as \${secret:${name}}.`);
    return 0;
  },
};
