import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { migrateEnvironment } from '../../config/envMigration.ts';
import type { Command } from '../command.ts';
import { textOption } from '../optionReaders.ts';
import { printText } from '../print.ts';

export const migrate: Command = {
  usage: 'migrate [--write FILE]',
  description:
    'Prints a models.yaml that says what the DELEGATE_* variables of this environment say, with the pools, chains and\nfacts about models that delegate-local has built in. Keys stay in their variables: the file only refers to them.',
  minPositionals: 0,
  maxPositionals: 0,
  exitCodes: '0 it was printed or written, 1 not so; a file that is there is never overwritten.',
  options: {
    write: { type: 'string', value: 'FILE', help: 'Write it to a new file instead' },
  },
  run: async (args, context) => {
    const { text, notes } = migrateEnvironment(context.env);
    const file = textOption(args, 'write');
    if (file === undefined) printText(context, text);
    else {
      const path = resolve(context.cwd, file);
      writeNew(path, text);
      printText(context, `Written: ${path}`);
    }
    // Not part of the file, so that "delegate migrate > models.yaml" gives one.
    for (const note of notes) context.stderr.write(`${note}\n`);
    return 0;
  },
};

function writeNew(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    // wx: fails when there is anything, a link that leads nowhere included.
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw code === 'EEXIST'
      ? new BridgeError('bad_argument', `${file} is there already; nothing was written.`, {
          hint: 'Give another name, or leave --write out to see the text.',
        })
      : new BridgeError('bad_argument', `${file} cannot be written (${code}).`, { cause: error });
  }
}
