/** The gap that something dropped at `y` falls into: 0 above the first row, n below the last. `middles` are those of the rows, from above. */
export function gapAt(y: number, middles: readonly number[]): number {
  return middles.filter((middle) => middle < y).length;
}

/** The place that a row has after it was taken out and put into a gap of the rows as they were. */
export function placeInGap(from: number, gap: number): number {
  return gap > from ? gap - 1 : gap;
}

/** The list after the row at `from` has moved to the place `to`. */
export function movedItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, place) => place !== from);
  const item = items[from];
  return item === undefined ? [...items] : [...rest.slice(0, to), item, ...rest.slice(to)];
}
