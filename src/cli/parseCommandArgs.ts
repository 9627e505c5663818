import { parseArgs } from 'node:util';
import { BridgeError } from '../base/bridgeError.ts';
import { closestName } from '../config/closestName.ts';
import type { Command, CommandArgs } from './command.ts';

/** Null when help was asked for. Throws BridgeError bad_argument with a sentence for a person. */
export function parseCommandArgs(
  name: string,
  command: Command,
  argv: readonly string[],
): CommandArgs | null {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  if (flags.includes('--help') || flags.includes('-h')) return null;
  const { values, positionals } = parse(name, command, argv);
  const { minPositionals, maxPositionals } = command;
  if (positionals.length < minPositionals) throw wrong(name, 'something is missing.', command);
  if (positionals.length > maxPositionals) {
    throw wrong(name, `"${positionals[maxPositionals] ?? ''}" is one argument too many.`, command);
  }
  return { values, positionals };
}

function parse(name: string, command: Command, argv: readonly string[]): CommandArgs {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([option, { type, short, multiple }]) => [
      option,
      {
        type,
        ...(short === undefined ? {} : { short }),
        ...(multiple === undefined ? {} : { multiple }),
      },
    ]),
  );
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const typed = /'(-[^' ]*)/.exec((error as Error).message)?.[1] ?? '';
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const meant = closestName(typed.replace(/^-+/, ''), Object.keys(command.options));
      throw wrong(
        name,
        `there is no option ${typed}.${meant === null ? '' : ` Did you mean --${meant}?`}`,
        command,
        error,
      );
    }
    const text = (error as Error).message.split('\n')[0] ?? '';
    throw wrong(name, `${text.charAt(0).toLowerCase()}${text.slice(1)}`, command, error);
  }
}

function wrong(name: string, what: string, command: Command, cause?: unknown): BridgeError {
  return new BridgeError('bad_argument', `delegate ${name}: ${what}`, {
    hint: `Usage: delegate ${command.usage}`,
    cause,
  });
}
