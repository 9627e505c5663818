/** Texts of a list, each with a key of its own: the same text twice has two. They stay with their texts when the list is another one. */
export function listKeys(items: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const count = seen.get(item) ?? 0;
    seen.set(item, count + 1);
    return `${count}:${item}`;
  });
}

/** The place that an item has by now, when it was at `place` a moment ago; null: it is gone. */
export function placeNow(items: readonly unknown[], item: unknown, place: number): number | null {
  if (items[place] === item) return place;
  const found = items.indexOf(item);
  return found < 0 ? null : found;
}
