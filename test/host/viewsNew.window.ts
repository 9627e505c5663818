import { SAMPLE } from './support/hostSample.ts';
import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = { world: { ...SAMPLE, models: '' } };
