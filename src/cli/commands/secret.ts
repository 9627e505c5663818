import { BridgeError } from '../../base/bridgeError.ts';
import { type Command, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import { flag, textOption, wordOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';
import { readSecret } from '../readSecret.ts';

export const secret: Command = {
  usage: 'secret set <name> | list | delete <name> | move --to file|keychain',
  description:
    'Keeps keys that the configuration refers to as ${secret:NAME}. The value is asked for, or read from stdin; it is\nnever an argument, where other users could see it, and is never shown again. They are in a file that you alone can\nread, or in the keychain of the system; "move" takes all of them there and writes "secrets:" in models.yaml.',
  minPositionals: 1,
  maxPositionals: 2,
  exitCodes: '0 when it succeeded, 1 when not, or when there was nothing to delete.',
  options: {
    to: { type: 'string', value: 'PLACE', help: 'move: file or keychain' },
    config: CONFIG_OPTION,
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const [verb, name] = args.positionals;
    const isJson = flag(args, 'json');
    const to = wordOption(args, 'to', ['file', 'keychain']);
    const isClear =
      verb === 'list' || verb === 'move'
        ? name === undefined && (verb === 'move') === (to !== undefined)
        : (verb === 'set' || verb === 'delete') && name !== undefined && to === undefined;
    if (!isClear) {
      throw new BridgeError('bad_argument', 'delegate secret: say what to do.', {
        hint: `Usage: delegate ${secret.usage}`,
      });
    }
    const { secrets } = await context.bridge(textOption(args, 'config'));
    if (verb === 'list') {
      const { names, keptIn } = secrets.state();
      if (isJson) printJson(context, { names, keptIn });
      else printText(context, names.length === 0 ? 'No secrets are kept.' : names.join('\n'));
      return 0;
    }
    if (to !== undefined) {
      const moved = await secrets.move(to);
      if (isJson) printJson(context, moved);
      else
        printText(
          context,
          `${moved.names.length === 0 ? 'There were no secrets to move' : `Moved ${moved.names.join(', ')}`}. ${moved.file} says "secrets: ${to}" now.`,
        );
      return 0;
    }
    if (name === undefined) return 1;
    if (verb === 'delete') {
      const wasKept = await secrets.delete(name);
      if (isJson) printJson(context, { wasKept });
      else printText(context, wasKept ? `Deleted ${name}.` : `There was no secret ${name}.`);
      return wasKept ? 0 : 1;
    }
    await secrets.set(name, await readSecret(name, context));
    if (isJson) printJson(context, { name });
    else printText(context, `Kept ${name}. Refer to it as \${secret:${name}}.`);
    return 0;
  },
};
