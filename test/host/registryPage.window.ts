import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = {
  settings: { 'files.autoSave': 'off' },
  viewport: { width: 1440, height: 900 },
  timeoutMs: 14 * 60_000,
};
