import { sanitiseLine } from '../base/sanitise.ts';

/** First line of a brief that has text, cut to what a row shows. */
export function briefLine(task: string, maxLength = 120): string {
  const first = task.split('\n').find((line) => line.trim() !== '') ?? '';
  return sanitiseLine(first, maxLength);
}
