/** Most of a text that the page keeps; the whole of it is in the log. */
const MAX_KEPT = 24_000;

/** The begin of a long text, with what is missing said; short ones as they are. */
export function cutText(text: string, maxLength = MAX_KEPT): string {
  if (text.length <= maxLength) return text;
  const end = /[\ud800-\udbff]/.test(text[maxLength - 1] ?? '') ? maxLength - 1 : maxLength;
  const missing = text.length - end;
  return `${text.slice(0, end)}\n… ${missing} more characters are in the log`;
}
