import type { RequestRecord } from '../bridge/gateway/requestRecord.ts';

/** Output tokens a second between the first byte and the last; null when it cannot be told. */
export function requestSpeed(
  request: Pick<RequestRecord, 'usage' | 'msFirstByte' | 'msTotal'>,
): number | null {
  const { output } = request.usage;
  if (output === null || output < 2 || request.msFirstByte === null) return null;
  const generatingMs = request.msTotal - request.msFirstByte;
  return generatingMs < 1 ? null : Math.round((output / generatingMs) * 10_000) / 10;
}
