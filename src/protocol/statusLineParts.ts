/** Numbers as people read them: 4:12, 31 %, 131k. Shared by status lines, tables and receipts. */

/** `0:07`, `4:12`, `1:02:03`. Negative and unusable values (a clock that was put back) count as 0. */
export function formatDuration(durationS: number): string {
  const total = Number.isFinite(durationS) ? Math.max(0, Math.floor(durationS)) : 0;
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = String(total % 60).padStart(2, '0');
  if (hours === 0) return `${minutes}:${seconds}`;
  return `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`;
}

/** `950`, `1.2k`, `131k`, `2.5M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_500) return shorten(count / 1000, 'k');
  return shorten(count / 1_000_000, 'M');
}

/** `1 file`, `3 files`. */
export function formatPlural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1st`, `2nd`, `3rd`, `11th`. */
export function formatOrdinal(position: number): string {
  const lastTwo = position % 100;
  const suffix =
    lastTwo >= 11 && lastTwo <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][position % 10] ?? 'th');
  return `${position}${suffix}`;
}

function shorten(value: number, unit: string): string {
  return value < 10
    ? `${value.toFixed(1).replace(/\.0$/, '')}${unit}`
    : `${Math.round(value)}${unit}`;
}
