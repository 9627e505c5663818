import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { TrustGiven } from '../../bridge/trustFolder.ts';
import { alignColumns } from '../../base/alignColumns.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const trust: Command = {
  usage: 'trust [<path> | list | revoke <path>] [--json]',
  description:
    'Lets count what a workspace brings along, as it is now: its models.yaml, and its hooks and permissions for Claude\nCode. Without a path: that of this folder. When what runs programs or sends data elsewhere changes, it has to be\ntrusted again.',
  minPositionals: 0,
  maxPositionals: 2,
  options: { json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const isJson = flag(args, 'json');
    const [verb = context.cwd, path] = args.positionals;
    if (verb === 'list') {
      const trusted = bridge.trusted.list();
      if (isJson) printJson(context, { trusted });
      else if (trusted.length === 0) printText(context, 'No workspace file is trusted.');
      else
        printText(
          context,
          alignColumns(trusted.map((entry) => [clean(entry.path), `since ${entry.at}`])),
        );
      return 0;
    }
    if (verb === 'revoke') {
      const wasTrusted = await bridge.trusted.remove(resolve(context.cwd, path ?? ''));
      if (isJson) printJson(context, { wasTrusted });
      else printText(context, wasTrusted ? 'It is not trusted any more.' : 'It was not trusted.');
      return 0;
    }
    if (path !== undefined) {
      throw new BridgeError('bad_argument', `delegate trust: "${path}" is one argument too many.`, {
        hint: `Usage: delegate ${trust.usage}`,
      });
    }
    const given = await bridge.trusted.add(resolve(context.cwd, verb));
    if (isJson) printJson(context, given);
    else printText(context, formatGiven(given));
    return 0;
  },
};

function formatGiven({ file, keys, values, isUsed }: TrustGiven): string {
  const what = existsSync(file) ? file : `What ${dirname(file)} brings along`;
  const head = `${clean(what)} is trusted as it is now.`;
  if (keys.length === 0)
    return `${head}\nIt sets nothing that runs programs or sends data elsewhere.`;
  // A key that another file overrides, and a settings file of Claude Code, has no value here.
  const bare = keys.filter(
    (key) => !values.some((each) => each.key === key || /^[.[]/.test(each.key.replace(key, ''))),
  );
  return [
    head,
    'You allow:',
    alignColumns([
      ...values.map(({ key, value }) => [`  ${clean(key)}`, clean(value)]),
      ...bare.map((key) => [`  ${clean(key)}`]),
    ]),
    ...(isUsed || !existsSync(file)
      ? []
      : [
          'It is not used all the same: it needs a key "endpoints" or "defaults" to be a file of ours.',
        ]),
    `To take it back: delegate trust revoke ${clean(dirname(file))}`,
  ].join('\n');
}

function clean(text: string): string {
  return sanitiseLine(text, 2_000);
}
