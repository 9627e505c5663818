export interface ChartPoint {
  /** From 1: which request it was. */
  readonly x: number;
  readonly y: number;
}

/** At most so many points, the highest of each stretch: a peak is what one looks for. */
export function thinOut(points: readonly ChartPoint[], most: number): ChartPoint[] {
  if (points.length <= most) return [...points];
  const stretch = points.length / most;
  return Array.from({ length: most }, (_, n) =>
    points
      .slice(Math.floor(n * stretch), Math.floor((n + 1) * stretch))
      .reduce((high, point) => (point.y >= high.y ? point : high)),
  );
}

/** A round number at or above the highest value: the top of the chart. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * unit >= value) ?? 10;
  return factor * unit;
}
