import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { changeNotes, hasDiff, type ReviewFile } from '../../../../src/host/review/changeNotes.ts';

const FILE: ReviewFile = {
  ...{ path: 'a', oldPath: null, change: 'modified', additions: 1, deletions: 1, binary: false },
  ...{ oldMode: '100644', newMode: '100644', decision: 'open' },
};
const sides = (base: string, job: string) => ({ base: Buffer.from(base), job: Buffer.from(job) });

describe('what a diff does not show of a change', () => {
  const cases: [string, Partial<ReviewFile>, ReturnType<typeof sides> | undefined, string[]][] = [
    ['an edit', {}, sides('a\n', 'b\n'), []],
    ['a mode', { newMode: '100755', change: 'mode' }, undefined, ['mode 644 → 755']],
    ['line ends', {}, sides('a\nb\n', 'a\r\nb\r\n'), ['line ends LF → CRLF']],
    [
      'line ends that are mixed now',
      {},
      sides('a\r\nb\r\n', 'a\r\nb\n'),
      ['line ends CRLF → mixed'],
    ],
    ['a text that has no line end any more', {}, sides('a\n', 'a'), []],
    ['a byte order mark', {}, sides('\ufeffa\n', 'a\n'), ['byte order mark removed']],
    ['one that was added', {}, sides('a\n', '\ufeffa\n'), ['byte order mark added']],
    [
      'a rename with a mode',
      { change: 'renamed', oldPath: 'o', newMode: '100755' },
      undefined,
      ['renamed from o', 'mode 644 → 755'],
    ],
    [
      'a link',
      { oldMode: '120000', newMode: '120000' },
      undefined,
      ['link: its text is its target'],
    ],
    [
      'a file that became a link',
      { change: 'type', newMode: '120000' },
      undefined,
      ['file → link'],
    ],
    [
      'a program that was added',
      { change: 'added', oldMode: null, newMode: '100755' },
      undefined,
      ['executable'],
    ],
    ['a new file', { change: 'added', oldMode: null }, sides('', 'a\r\n'), []],
    ['bytes', { binary: true }, sides('\n', '\r\n'), []],
  ];
  for (const [what, file, texts, notes] of cases)
    it(`${what}: ${notes.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(changeNotes({ ...FILE, ...file }, texts), notes));

  it('are words alone for what has no two texts', () => {
    for (const change of ['ignored', 'nested', 'submodule'] as const) {
      const file = { ...FILE, change, oldMode: null, newMode: null };
      assert.equal(hasDiff(file), false);
      assert.equal(changeNotes(file).length, 1);
    }
    for (const change of ['added', 'modified', 'deleted', 'renamed', 'mode', 'type'] as const)
      assert.equal(hasDiff({ ...FILE, change }), true);
  });
});
