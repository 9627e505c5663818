import { BridgeError } from '../base/bridgeError.ts';
import type { CommandArgs } from './command.ts';

/** Typed reading of what parseCommandArgs() gives. */

export function textOption({ values }: CommandArgs, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function listOption({ values }: CommandArgs, name: string): readonly string[] | undefined {
  const value = values[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

export function flag({ values }: CommandArgs, name: string): boolean {
  return values[name] === true;
}

/** Throws BridgeError bad_argument for anything but a number of at least `min`. */
export function numberOption(
  args: CommandArgs,
  name: string,
  { min = 0, isWhole = false }: { min?: number; isWhole?: boolean } = {},
): number | undefined {
  const text = textOption(args, name);
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= min && (!isWhole || Number.isInteger(value))) return value;
  throw new BridgeError(
    'bad_argument',
    `--${name} takes ${isWhole ? 'a whole number' : 'a number'} of at least ${min}, not "${text}".`,
  );
}

/** One of a fixed set of words. Throws BridgeError bad_argument that names them. */
export function wordOption<const Word extends string>(
  args: CommandArgs,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = textOption(args, name);
  if (text === undefined) return undefined;
  const word = words.find((known) => known === text);
  if (word !== undefined) return word;
  throw new BridgeError('bad_argument', `--${name} takes ${words.join(', ')}, not "${text}".`);
}

export function positional({ positionals }: CommandArgs, index: number): string {
  const value = positionals[index];
  if (value === undefined) throw new BridgeError('bad_argument', 'An argument is missing.');
  return value;
}
