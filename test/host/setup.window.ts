import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = {
  // With AI features off VS Code hides the servers that extensions offer.
  settings: { 'chat.disableAIFeatures': false },
  isForOldest: true,
  timeoutMs: 6 * 60_000,
};
