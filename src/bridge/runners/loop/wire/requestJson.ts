/** A lone half of a character, as JSON.stringify writes it; a backslash before it would make it a text of its own. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\u(d[89a-f][0-9a-f]{2})/g;

/**
 * A request as JSON. Halves of characters, as cutting a text leaves them, become replacement characters: strict JSON parsers
 * refuse the whole request for one.
 */
export function requestJson(body: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(body);
  return json.includes('\\ud') ? json.replace(LONE_SURROGATE, '$1\\ufffd') : json;
}
