/** The project that a window shows unless its suite brings another: a function with a bug, and the test that is red for it. */
export const SAMPLE = {
  name: 'range-tools',
  files: {
    'README.md': '# Range tools\n\nSmall helpers for ranges of whole numbers.\n',
    'package.json': '{\n  "name": "range-tools",\n  "private": true\n}\n',
    'src/range.js': `// All whole numbers from start to end, both included.
exports.range = (start, end) => {
  const numbers = [];
  for (let number = start; number < end; number += 1) numbers.push(number);
  return numbers;
};
`,
    'test/range.test.js': `const test = require('node:test');
const assert = require('node:assert/strict');
const { range } = require('../src/range.js');

test('range includes both ends', () => assert.deepEqual(range(1, 3), [1, 2, 3]));
`,
  },
  models: `endpoints:
  rehearsal: { base_url: URL, max_concurrent: 8 }
gates:
  tests: { run: node --test, kind: tests, protect: ['test/**'] }
`,
} as const;

/** Lines of a rehearsal script that make the sample's test green. */
export const SAMPLE_FIX = [
  'read src/range.js',
  'run: node --test',
  'edit src/range.js: number < end => number <= end',
  'run: node --test',
  'say: The loop left out the last number; it now runs to number <= end. "node --test" passes.',
] as const;
