import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = { timeoutMs: 6 * 60_000 };
