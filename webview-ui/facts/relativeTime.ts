const STEPS: readonly (readonly [limitS: number, unitS: number, unit: string])[] = [
  [3600, 60, 'min'],
  [86_400, 3600, 'h'],
  [Infinity, 86_400, 'd'],
];

/** `just now`, `3 min ago`, `2 h ago`, `5 d ago`. A time to come (clocks differ) is now; what is no time stays as it is. */
export function relativeTime(at: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(at)) / 1000;
  if (Number.isNaN(seconds)) return at;
  if (seconds < 60) return 'just now';
  const [, unitS = 1, unit = ''] = STEPS.find(([limitS]) => seconds < limitS) ?? [];
  return `${Math.floor(seconds / unitS)} ${unit} ago`;
}

/** The time in full, in the reader's own clock: for whoever hovers. */
export function absoluteTime(at: string): string {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? at : `${new Date(ms).toLocaleString()} (${at})`;
}
