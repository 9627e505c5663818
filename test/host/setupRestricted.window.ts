import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = {
  isTrusted: false,
  settings: { 'chat.disableAIFeatures': false },
};
