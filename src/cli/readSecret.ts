import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { BridgeError } from '../base/bridgeError.ts';
import type { CliContext } from './cliContext.ts';

const MAX_LENGTH = 64 * 1024;

/** A value from a prompt that does not echo, or the first line of stdin. Throws BridgeError when there is none. */
export async function readSecret(name: string, { stdin, stderr }: CliContext): Promise<string> {
  const isTerminal = stdin.isTTY === true;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: isTerminal });
  // Only now does the terminal echo nothing: whoever types at the sight of the prompt must not be shown.
  if (isTerminal) stderr.write(`Value of ${name} (not shown): `);
  const value = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
    lines.once('SIGINT', () => lines.close());
  });
  lines.close();
  if (isTerminal) stderr.write('\n');
  if (value === '')
    throw new BridgeError('bad_argument', `No value was given; ${name} is unchanged.`);
  if (value.length > MAX_LENGTH)
    throw new BridgeError('bad_argument', 'The value is longer than 64 KiB.');
  return value;
}
