import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { cutHead, cutText, isBinaryText } from '../../../../src/host/delegate/cutText.ts';

const limits = { maxLines: 3, maxCharacters: 10 };
const anyText = fc
  .array(fc.constantFrom('a', '\n', '\r\n', '\r', '\u{1f600}', 'é', 'bcd'), { maxLength: 30 })
  .map((parts) => parts.join(''));

describe('cutText', () => {
  const cases: [string, string, string, boolean][] = [
    ['nothing', '', '', false],
    ['a short text', 'a\nb', 'a\nb', false],
    ['CRLF as LF', 'a\r\nb\rc', 'a\nb\nc', false],
    ['the first lines', '1\n2\n3\n4', '1\n2\n3', true],
    ['the first characters', '0123456789x', '0123456789', true],
    ['no half of a character', '012345678\u{1f600}', '012345678', true],
    ['the whole of one that just fits', '01234567\u{1f600}', '01234567\u{1f600}', false],
    ['a huge text', 'x'.repeat(10_000_000), 'xxxxxxxxxx', true],
  ];
  for (const [what, text, expected, isCut] of cases) {
    it(`keeps ${what}`, () => assert.deepEqual(cutText(text, limits), { text: expected, isCut }));
  }

  it('keeps within its limits, is a beginning of the text, and says when it is not all', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const whole = text.replace(/\r\n?/g, '\n');
        const { text: kept, isCut } = cutText(text, limits);
        assert.ok(kept.length <= 10 && kept.split('\n').length <= 3);
        assert.ok(whole.startsWith(kept));
        assert.equal(isCut, kept !== whole);
        assert.ok(kept.isWellFormed());
      }),
    );
  });
});

describe('cutHead', () => {
  const cases: [string, string, string, boolean][] = [
    ['a short text', 'a\r\nb', 'a\nb', false],
    ['the last lines', '1\n2\n3\n4', '2\n3\n4', true],
    ['the last characters', 'x0123456789', '0123456789', true],
    ['no half of a character', '\u{1f600}012345678', '012345678', true],
  ];
  for (const [what, text, expected, isCut] of cases) {
    it(`keeps ${what}`, () => assert.deepEqual(cutHead(text, limits), { text: expected, isCut }));
  }

  it('keeps within its limits, is an end of the text, and says when it is not all', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const whole = text.replace(/\r\n?/g, '\n');
        const { text: kept, isCut } = cutHead(text, limits);
        assert.ok(kept.length <= 10 && kept.split('\n').length <= 3);
        assert.ok(whole.endsWith(kept));
        assert.equal(isCut, kept !== whole);
        assert.ok(kept.isWellFormed());
      }),
    );
  });
});

it('isBinaryText sees a NUL', () => {
  assert.equal(isBinaryText('text é'), false);
  assert.equal(isBinaryText('PNG\u0000'), true);
});
