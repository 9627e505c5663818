export type Group = Readonly<Record<string, unknown>>;

/** The value as keys with values; null for whatever else stands there. */
export function groupOf(value: unknown): Group | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Group)
    : null;
}
