import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { parseServerLine } from '../../../../src/host/bridge/serverLine.ts';

describe('parseServerLine', () => {
  for (const [line, level, text] of [
    [
      '{"level":"error","time":"T","component":"store","message":"locked"}',
      'error',
      'store: locked',
    ],
    ['{"level":"warning","message":"slow"}', 'warn', 'slow'],
    ['{"level":"debug","component":"mcp","message":"x"}', 'info', 'mcp: x'],
    ['  node: bad option  ', 'info', 'node: bad option'],
    ['{"level":"error"', 'info', '{"level":"error"'],
    ['{"message":7}', 'info', '{"message":7}'],
  ] as const) {
    it(`takes ${line} as ${level}`, () => assert.deepEqual(parseServerLine(line), { level, text }));
  }

  it('takes any line, and cuts it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ minLength: 5000 })), (line) => {
        assert.ok(parseServerLine(line).text.length <= 4002);
      }),
    );
  });
});
