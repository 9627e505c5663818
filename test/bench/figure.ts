/** One measured quantity beside what it is compared with; both were measured in turn in the same process run. */
export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'MB/s' | 'share' | 'tokens';
  /** One value per run. */
  readonly ours: readonly number[];
  readonly beside: { readonly what: string; readonly values: readonly number[] };
}

/** Measures `runs` times and gives one or more figures. */
export type Bench = (runs: number) => Promise<Figure[]>;

export interface Summary {
  readonly n: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Throws when nothing was measured: a figure without values is no figure. */
export function summary(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [min, max, upper] = [sorted[0], sorted.at(-1), sorted[middle]];
  if (min === undefined || max === undefined || upper === undefined)
    throw new Error('nothing was measured');
  const lower = sorted.length % 2 === 0 ? (sorted[middle - 1] ?? upper) : upper;
  return { n: sorted.length, median: (lower + upper) / 2, min, max };
}
