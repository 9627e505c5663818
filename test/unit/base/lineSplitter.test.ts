import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { LineSplitter } from '../../../src/base/lineSplitter.ts';

function split(
  chunks: readonly Uint8Array[],
  maxLength = 1000,
): { lines: string[]; tooLong: number[] } {
  const lines: string[] = [];
  const tooLong: number[] = [];
  const splitter = new LineSplitter({
    maxLength,
    onLine: (line) => lines.push(line),
    onTooLong: (length) => tooLong.push(length),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return { lines, tooLong };
}

describe('LineSplitter', () => {
  it('any cut of the bytes gives the same lines', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc
            .string({ unit: 'grapheme' })
            .filter((line) => !/[\r\n]/.test(line) && line.isWellFormed()),
        ),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        (lines, sizes) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const chunks: Buffer[] = [];
          for (let at = 0; at < bytes.length;) {
            const size = sizes.next().value ?? 1;
            chunks.push(bytes.subarray(at, at + size));
            at += size;
          }
          assert.deepEqual(
            split(chunks).lines,
            lines
              .map((line) => line.replace(/^\ufeff/, ''))
              .map((line, index) => (index === 0 ? line : (lines[index] ?? ''))),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('the last line needs no line end, and CRLF is one', () => {
    assert.deepEqual(split([Buffer.from('a\r\nb')]).lines, ['a', 'b']);
  });

  it('a line that is too long is left out and reported, and the next one is whole', () => {
    const { lines, tooLong } = split(
      [Buffer.from('x'.repeat(8)), Buffer.from('x'.repeat(8)), Buffer.from('yy\nok\n')],
      10,
    );
    assert.deepEqual(lines, ['ok']);
    assert.deepEqual(tooLong, [18]);
  });
});
