import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { boundAnswer, boundText, MAX_ANSWER_BYTES } from '../../../src/server/boundAnswer.ts';

const fields = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }).filter((key) => key !== '__proto__'),
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
  })).value,
);

describe('boundAnswer', () => {
  it('leaves alone what fits', () => {
    fc.assert(
      fc.property(fields, (value) => {
        assert.deepEqual(boundAnswer(value), { fields: value, isTruncated: false });
      }),
    );
  });

  it('is never longer than the limit and keeps the kinds of values', () => {
    fc.assert(
      fc.property(fields, fc.integer({ min: 1, max: 40 }), (value, copies) => {
        const big = {
          ...value,
          long: 'ä'.repeat(copies * 4000),
          list: Array.from({ length: copies * 30 }, () => 'entry '.repeat(30)),
        };
        const bounded = boundAnswer(big);
        assert.ok(Buffer.byteLength(JSON.stringify(bounded.fields)) <= MAX_ANSWER_BYTES);
        if (bounded.isTruncated && 'long' in bounded.fields) {
          assert.equal(typeof bounded.fields['long'], 'string');
          assert.ok(Array.isArray(bounded.fields['list']));
        }
      }),
    );
  });

  it('marks a cut text with its full length', () => {
    const { fields: bounded, isTruncated } = boundAnswer({ text: 'x'.repeat(100_000), id: 'job' });
    assert.equal(isTruncated, true);
    assert.match(String(bounded['text']), /… \[cut: 100000 characters in all\]$/);
    assert.equal(bounded['id'], 'job');
  });
});

describe('boundText', () => {
  it('cuts at whole characters, within the limit, with a mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 100, maxLength: 400 }), (text) => {
        const bounded = boundText(text, 120, 'see elsewhere');
        if (Buffer.byteLength(text) <= 120) assert.equal(bounded, text);
        else {
          assert.ok(Buffer.byteLength(bounded) <= 120);
          assert.match(bounded, /\[cut: \d+ bytes in all; see elsewhere\]$/);
          assert.ok(text.startsWith(bounded.split('\n… [cut')[0]?.trimEnd() ?? ''));
        }
      }),
    );
  });
});
