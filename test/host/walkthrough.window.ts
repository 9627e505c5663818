import type { HostWindow } from './support/hostWindow.ts';

/** Nothing is there yet: no endpoint, no job. Toasts do not hide what is looked at. */
export const window: HostWindow = {
  isForOldest: true,
  world: {
    name: 'range-tools',
    files: {
      'README.md': '# Range tools\n',
      'range.js':
        'exports.range = (start, end) => {\n  const numbers = [];\n  for (let number = start; number < end; number += 1) numbers.push(number);\n  return numbers;\n};\n',
      'range.test.js':
        "const test = require('node:test');\nconst assert = require('node:assert/strict');\nconst { range } = require('./range.js');\ntest('both ends', () => assert.deepEqual(range(1, 3), [1, 2, 3]));\n",
    },
    models: 'gates: {}\n',
  },
  settings: {
    'delegationBridge.notifications.enabled': false,
    'workbench.colorTheme': 'Default Dark Modern',
  },
  // Wide enough for the pictures beside the steps.
  viewport: { width: 1440, height: 860 },
  timeoutMs: 12 * 60_000,
};
