import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = {
  settings: { 'files.autoSave': 'off' },
  isForOldest: true,
  viewport: { width: 1440, height: 900 },
  timeoutMs: 12 * 60_000,
};
