/** Reading JSON that a client sent, without trusting its shape: what has another type counts as absent. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Texts of a content: a string, or an array of blocks of which some have a `text`. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return asArray(content)
    .map((block) => asString(asObject(block)['text']) ?? '')
    .filter((text) => text !== '');
}
