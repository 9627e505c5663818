import { toWire } from '../protocol/keys.ts';
import type { CliContext } from './cliContext.ts';

/** For people: one or more lines, already sanitised. */
export function printText({ stdout }: CliContext, text: string): void {
  if (text !== '') stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** For scripts: `{"v":1, …}` in snake_case on one line. `v` rises when a field changes its meaning. */
export function printJson({ stdout }: CliContext, fields: object): void {
  stdout.write(`${JSON.stringify({ v: 1, ...(toWire(fields) as object) })}\n`);
}
