import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { parseRawDiff } from '../../../../src/bridge/worktrees/parseRawDiff.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const NONE = '0'.repeat(40);

describe('parseRawDiff', () => {
  const cases: [string, string[], Record<string, unknown>][] = [
    [
      'added',
      [`:000000 100644 ${NONE} ${A} A`, 'x', '3\t0\tx'],
      { change: 'added', additions: 3, deletions: 0, oldMode: null, newMode: '100644' },
    ],
    [
      'deleted',
      [`:100644 000000 ${A} ${NONE} D`, 'x', '0\t3\tx'],
      { change: 'deleted', additions: 0, deletions: 3, newMode: null },
    ],
    [
      'modified',
      [`:100644 100644 ${A} ${B} M`, 'x', '1\t2\tx'],
      { change: 'modified', additions: 1, deletions: 2 },
    ],
    [
      'mode only',
      [`:100644 100755 ${A} ${A} M`, 'x', '0\t0\tx'],
      { change: 'mode', oldMode: '100644', newMode: '100755' },
    ],
    ['mode and content', [`:100644 100755 ${A} ${B} M`, 'x', '1\t0\tx'], { change: 'modified' }],
    [
      'binary',
      [`:100644 100644 ${A} ${B} M`, 'x', '-\t-\tx'],
      { change: 'modified', binary: true, additions: null, deletions: null },
    ],
    [
      'rename',
      [`:100644 100644 ${A} ${B} R090`, 'old', 'new', '1\t0\t', 'old', 'new'],
      { change: 'renamed', oldPath: 'old', path: 'new', additions: 1 },
    ],
    ['type', [`:100644 120000 ${A} ${B} T`, 'x', '1\t1\tx'], { change: 'type', newMode: '120000' }],
    [
      'submodule pointer',
      [`:160000 160000 ${A} ${B} M`, 'x', '1\t1\tx'],
      { change: 'submodule', additions: null },
    ],
    [
      'new pointer',
      [`:000000 160000 ${NONE} ${B} A`, 'x', '1\t0\tx'],
      { change: 'nested', additions: null },
    ],
    [
      'tab in the name',
      [`:000000 100644 ${NONE} ${A} A`, 'x\ty\tz', '3\t0\tx\ty\tz'],
      { path: 'x\ty\tz', additions: 3 },
    ],
    ['name like a record', [`:000000 100644 ${NONE} ${A} A`, ':x', '3\t0\t:x'], { path: ':x' }],
  ];
  for (const [name, fields, expected] of cases) {
    it(`reads: ${name}`, () => {
      const [change, ...rest] = parseRawDiff(`${fields.join('\0')}\0`);
      assert.equal(rest.length, 0);
      assert.deepEqual({ ...change, ...expected }, change);
    });
  }

  it('reads no output as no change', () => {
    assert.deepEqual(parseRawDiff(''), []);
  });

  const broken = [
    'nonsense',
    `:100644 100644 ${A} ${B} M\0x\0`,
    `:100644 100644 ${A} ${B} M\0x\0\x31\t2\ty\0`,
    `:100644 100644 ${A} ${B} X\0x\0\x31\t2\tx\0`,
    `:100644\0x\0`,
    `:100644 100644 ${A} ${B} R100\0x\0`,
  ];
  for (const output of broken) {
    it(`throws on ${JSON.stringify(output).slice(0, 30)}… in place of leaving something out`, () => {
      assert.throws(
        () => parseRawDiff(output),
        (error) => BridgeError.is(error, 'git_failed'),
      );
    });
  }
});
