const MAX_S = 120;

/**
 * How long a server asks to be left alone, in seconds from 0 to 120; null when it does not say. It may name seconds, a date or,
 * in a header of its own, milliseconds.
 */
export function retryAfter(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  nowMs: number,
): number | null {
  const ms = textOf(headers['retry-after-ms']);
  if (/^\d+(\.\d+)?$/.test(ms)) return clamp(Number(ms) / 1000);
  const value = textOf(headers['retry-after']);
  if (/^\d+(\.\d+)?$/.test(value)) return clamp(Number(value));
  // Date.parse takes bare numbers such as -5 for years.
  const atMs = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(atMs) ? null : clamp((atMs - nowMs) / 1000);
}

function textOf(header: string | string[] | undefined): string {
  return String(header ?? '').trim();
}

function clamp(seconds: number): number {
  return Math.min(MAX_S, Math.max(0, seconds));
}
