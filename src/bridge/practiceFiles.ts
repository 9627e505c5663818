/** A bug, and a test that is red until it is fixed: small enough for any model. */
export const PRACTICE_FILES: Readonly<Record<'range.js' | 'range.test.js', string>> = {
  'range.js': `// All whole numbers from start to end, both included.
exports.range = (start, end) => {
  const numbers = [];
  for (let number = start; number < end; number += 1) numbers.push(number);
  return numbers;
};
`,
  'range.test.js': `const test = require('node:test');
const assert = require('node:assert/strict');
const { range } = require('./range.js');

test('range includes both ends', () => assert.deepEqual(range(1, 3), [1, 2, 3]));
`,
};
