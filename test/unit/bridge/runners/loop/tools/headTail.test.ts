import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { HeadTail } from '../../../../../../src/bridge/runners/loop/tools/headTail.ts';

function shown(maxChars: number, chunks: readonly (string | Buffer)[]): string {
  const output = new HeadTail(maxChars);
  for (const chunk of chunks) output.add(Buffer.from(chunk));
  return output.end();
}

describe('bounded output of a command', () => {
  const table: readonly [string, number, readonly (string | Buffer)[], string][] = [
    ['nothing', 10, [], ''],
    ['what fits', 10, ['0123', '456789'], '0123456789'],
    ['head and tail', 9, ['abcdefghijkl'], 'abc\n[… 3 of 12 characters left out …]\nghijkl'],
    ['a character over two chunks', 10, [Buffer.from([0xc3]), Buffer.from([0xa9])], 'é'],
    ['bytes that are no text', 10, [Buffer.from([0xff, 0x00, 0x41])], '\ufffd\ufffdA'],
    ['colours', 40, ['\u001b[31mred\u001b[0m\tx\r\n'], 'red\tx\r\n'],
    [
      'no half of a character at a cut',
      6,
      ['a😀bcdefg😀h'],
      'a\n[… 6 of 12 characters left out …]\ng😀h',
    ],
  ];
  for (const [title, cap, chunks, text] of table) {
    it(title, () => assert.equal(shown(cap, chunks), text));
  }

  it('keeps the cap, the ends and the true length, however the output is cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z\n]{0,4000}$/), { maxLength: 8 }),
        fc.integer({ min: 1, max: 3000 }),
        (chunks, cap) => {
          const all = chunks.join('');
          const text = shown(cap, chunks);
          assert.equal(text, shown(cap, [all]));
          if (all.length <= cap) return assert.equal(text, all);
          const [, head = '', left, total, tail = ''] =
            /^([^]*)\n\[… (\d+) of (\d+) characters left out …\]\n([^]*)$/.exec(text) ?? [];
          assert.equal(head.length + tail.length, cap);
          assert.equal(Number(total), all.length);
          assert.equal(Number(left), all.length - cap);
          assert.ok(all.startsWith(head) && all.endsWith(tail));
        },
      ),
    );
  });
});
