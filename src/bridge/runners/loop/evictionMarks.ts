/** From where on and down to where results are evicted; in tokens when the window is known, else in characters. */
export interface EvictionMarks {
  readonly high: number;
  readonly low: number;
}

const HIGH_SHARE = 0.7;
const LOW_SHARE = 0.4;
/** For servers that do not say their window: about 70 000 and 30 000 tokens, which fits what such models have today. */
const UNKNOWN_WINDOW: EvictionMarks = { high: 240_000, low: 100_000 };

/**
 * Eviction changes what the server has cached, so it comes in rare large steps: between the marks nothing is touched.
 * @param ceiling what was too much for the server once, in the same unit; null: nothing was yet
 */
export function evictionMarks(contextWindow: number | null, ceiling: number | null): EvictionMarks {
  const usual =
    contextWindow === null
      ? UNKNOWN_WINDOW
      : { high: contextWindow * HIGH_SHARE, low: contextWindow * LOW_SHARE };
  if (ceiling === null) return usual;
  return {
    high: Math.min(usual.high, ceiling * HIGH_SHARE),
    low: Math.min(usual.low, ceiling * LOW_SHARE),
  };
}
