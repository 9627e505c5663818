import { sanitiseLine, sanitiseText } from './sanitise.ts';

/**
 * Text of a model, a workspace or a server as Markdown that shows exactly that text: no link, command, image, icon or tag comes of
 * it, also where a bare address would become a link.
 */
export function escapeMarkdown(text: string, maxLength = 300): string {
  return sanitiseLine(text, maxLength).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** A block of such text, line by line, in a fence that it cannot close. */
export function fenceText(text: string): string {
  const clean = sanitiseText(text).trimEnd();
  const longest = Math.max(2, ...(clean.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${clean}\n${fence}`;
}
