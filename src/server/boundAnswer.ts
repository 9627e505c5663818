/** Longest JSON of a result in UTF-8 bytes: 20 000 tokens at about three bytes each. */
export const MAX_ANSWER_BYTES = 60_000;

const STRING_LIMITS = [16_000, 4_000, 1_000, 300];
const ARRAY_LIMITS = [400, 100, 40, 15];

export interface BoundAnswer {
  readonly fields: Record<string, unknown>;
  readonly isTruncated: boolean;
}

/** Cuts the longest texts and lists, with a visible mark, until the whole fits. What it keeps has the shape it had. */
export function boundAnswer(
  fields: Record<string, unknown>,
  maxBytes = MAX_ANSWER_BYTES,
): BoundAnswer {
  if (sizeOf(fields) <= maxBytes) return { fields, isTruncated: false };
  for (const [step, maxString] of STRING_LIMITS.entries()) {
    const bounded = shrink(fields, maxString, ARRAY_LIMITS[step] ?? 15) as Record<string, unknown>;
    if (sizeOf(bounded) <= maxBytes) return { fields: bounded, isTruncated: true };
  }
  return { fields: {}, isTruncated: true };
}

/** Cuts a text at `maxBytes` of UTF-8 and says so in the text. */
export function boundText(text: string, maxBytes: number, whereTheRestIs: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const mark = `\n… [cut: ${bytes.length} bytes in all; ${whereTheRestIs}]`;
  const kept = bytes.subarray(0, Math.max(0, maxBytes - Buffer.byteLength(mark))).toString();
  return `${kept.replace(/\ufffd+$/, '')}${mark}`;
}

function shrink(value: unknown, maxString: number, maxItems: number): unknown {
  if (typeof value === 'string') {
    if (value.length <= maxString) return value;
    return `${value.slice(0, maxString)}… [cut: ${value.length} characters in all]`;
  }
  if (Array.isArray(value)) {
    return value.slice(0, maxItems).map((item) => shrink(item, maxString, maxItems));
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shrink(item, maxString, maxItems)]),
  );
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
