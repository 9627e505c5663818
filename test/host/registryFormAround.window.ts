import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = {
  settings: { 'files.autoSave': 'off', 'files.readonlyInclude': { '**/locked/models.yaml': true } },
  isForOldest: true,
  viewport: { width: 1440, height: 900 },
};
