import { sanitiseLine, sanitiseText } from '../../base/sanitise.ts';
import { changeLines } from '../formatChanges.ts';
import { type Command, JSON_OPTION } from '../command.ts';
import { flag, positional } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

const MAX_PATCH_BYTES = 64 * 1024 * 1024;

export const diff: Command = {
  usage: 'diff <job> [files…] [--stat | --name-only] [--json]',
  description:
    'Shows what a job changed against the commit it started from: the patch, the list of files, or their names.',
  minPositionals: 1,
  maxPositionals: 1_000,
  exitCodes: '0 what was changed is shown, 1 it cannot be shown (the reason is on stderr).',
  options: {
    stat: { type: 'boolean', help: 'One line per file' },
    'name-only': { type: 'boolean', help: 'Names of files and nothing else' },
    json: JSON_OPTION,
  },
  run: async (args, context) => {
    const bridge = await context.bridge();
    const { id } = bridge.job(positional(args, 0));
    const files = args.positionals.slice(1);
    const isListOnly = flag(args, 'stat') || flag(args, 'name-only');
    const found = await bridge.diff(id, {
      ...(files.length === 0 ? {} : { files }),
      maxBytes: isListOnly ? 0 : MAX_PATCH_BYTES,
    });
    if (flag(args, 'json')) {
      printJson(context, found);
      return 0;
    }
    if (found.note !== null) {
      // Beside the list, not in it: an empty patch in a pipe would say that nothing was changed.
      context.stderr.write(`${sanitiseLine(found.note, 400)}\n`);
      if (found.files.length === 0) return 1;
    }
    if (flag(args, 'name-only')) {
      printText(context, found.files.map((file) => sanitiseLine(file.path, 4_096)).join('\n'));
    } else if (flag(args, 'stat') || found.files.length === 0 || found.note !== null) {
      printText(context, changeLines(found.files));
      return isListOnly || found.note === null ? 0 : 1;
    } else
      printPatch(found.patch, context.stdout.isTTY === true, (text) => printText(context, text));
    if (found.isPatchTruncated && !isListOnly)
      context.stderr.write('The patch was cut; name files to see the rest.\n');
    return 0;
  },
};

/** Into a pipe or a file go the exact bytes, so that `git apply` can read them; a terminal gets them made safe. */
function printPatch(patch: string, isTerminal: boolean, print: (text: string) => void): void {
  print(isTerminal ? sanitiseText(patch) : patch);
}
