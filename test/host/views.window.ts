import { SAMPLE } from './support/hostSample.ts';
import type { HostWindow } from './support/hostWindow.ts';

export const window: HostWindow = {
  isForOldest: true,
  world: {
    ...SAMPLE,
    models: `endpoints:
  tower: { base_url: URL, max_concurrent: 8, notes: plays scripts }
  gpu-server: { base_url: 'http://127.0.0.1:9', locality: lan }
pools:
  rehearsal: { slots: 2 }
gates:
  tests: { run: node --test, kind: tests, protect: ['test/**'] }
`,
  },
  timeoutMs: 12 * 60_000,
};
