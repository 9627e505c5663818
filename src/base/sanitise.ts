/**
 * What a model or server wrote, made safe for a terminal, a tree or a notification: escape sequences, control and bidi
 * characters and line separators become spaces, and the length is bounded.
 */
/* eslint-disable no-control-regex -- control characters are what it exists for */
const ESCAPES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[@-Z\\-_])|\u009b[0-?]*[ -/]*[@-~]/g;
const CONTROLS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

/** One line, white space collapsed, at most `maxLength` UTF-16 units. */
export function sanitiseLine(text: string, maxLength = 256): string {
  const clean = text.replace(ESCAPES, ' ').replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
  return cut(clean, maxLength);
}

/** Several lines: tabs and line feeds stay, CRLF becomes LF. */
export function sanitiseText(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(ESCAPES, ' ').replace(CONTROLS, ' ');
  return cut(clean, maxLength);
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = maxLength - 1;
  const isHighSurrogate = /[\ud800-\udbff]/.test(text[end - 1] ?? '');
  return `${text.slice(0, isHighSurrogate ? end - 1 : end)}…`;
}
