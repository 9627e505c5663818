import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = {
  isForOldest: true,
  timeoutMs: 6 * 60_000,
};
