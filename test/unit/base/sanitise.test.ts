import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { sanitiseLine, sanitiseText } from '../../../src/base/sanitise.ts';

describe('sanitise', () => {
  const cases: [string, string, string][] = [
    ['plain text', 'all is well', 'all is well'],
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['a title set through OSC', '\u001b]0;owned\u0007text', 'text'],
    ['a link', '\u001b]8;;http://evil\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['bidi override', 'a\u202egnp.exe', 'a gnp.exe'],
    ['zero width and soft hyphen', 'pass\u200bword\u00ad', 'pass word'],
    ['line separators', 'a\u2028b\u2029c', 'a b c'],
    ['C1 control', 'a\u009b31mb', 'a b'],
    ['tabs and line ends', 'a\tb\r\nc', 'a b c'],
    ['what is not Latin stays', 'ä 漢字 🙂', 'ä 漢字 🙂'],
  ];
  for (const [name, input, output] of cases)
    it(name, () => assert.equal(sanitiseLine(input), output));

  it('a text keeps its lines and tabs', () =>
    assert.equal(sanitiseText('a\tb\r\nc\rd'), 'a\tb\nc\nd'));

  it('never leaves a control character, never exceeds the length, never cuts a character in two', () => {
    // eslint-disable-next-line no-control-regex -- what must not be there
    const forbidden = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.integer({ min: 2, max: 60 }),
        (text, length) => {
          const clean = sanitiseLine(text, length);
          assert.doesNotMatch(clean, forbidden);
          assert.ok(clean.length <= length);
          if (text.isWellFormed()) assert.ok(clean.isWellFormed());
        },
      ),
    );
  });
});
