import { totalmem } from 'node:os';

const GB = 1024 ** 3;
const AUTO_SHARE = 1 / 4;
const AUTO_MAX_BYTES = 16 * GB;

/**
 * Bytes that this machine must have available before a job starts on an endpoint of its own; null for none. `auto` is a quarter of the memory, 16 GB
 * at the most, and off where the system does not tell what is available (everywhere but Linux).
 */
export function memoryFloorBytes(
  setting: number | 'auto',
  machine: { readonly totalBytes: number; readonly platform: NodeJS.Platform } = {
    totalBytes: totalmem(),
    platform: process.platform,
  },
): number | null {
  if (setting === 'auto') {
    if (machine.platform !== 'linux') return null;
    return Math.min(AUTO_MAX_BYTES, machine.totalBytes * AUTO_SHARE);
  }
  return setting === 0 ? null : setting * GB;
}
