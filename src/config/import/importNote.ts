import { sanitiseLine } from '../../base/sanitise.ts';

const MAX_NOTE = 400;
const MAX_NAME = 60;

/** A sentence about what an import did not take over; names from the source in it are harmless to show. */
export function importNote(text: string): string {
  return sanitiseLine(text, MAX_NOTE);
}

/** A name from the source, quoted and short. */
export function quoted(name: string): string {
  return `"${sanitiseLine(name, MAX_NAME)}"`;
}
