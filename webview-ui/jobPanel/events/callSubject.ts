import { asObject, asText } from './jsonValue.ts';

/** What tools are called with that tells best what they are about, the best first. */
const TELLING = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'query',
  'url',
  'description',
  'subject',
  'prompt',
];
const MAX_LENGTH = 300;

/** One line about what a call of a tool is for: the file, the command, else its whole input. */
export function callSubject(input: unknown): string {
  const fields = asObject(input);
  const telling = TELLING.flatMap((name) => asText(fields?.[name]) ?? []).find(
    (text) => text.trim() !== '',
  );
  const text =
    telling ?? (fields !== null && Object.keys(fields).length === 0 ? '' : toText(input));
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH)}…`;
}

function toText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '');
}
