import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { replacementPlace } from '../../../../src/host/agents/replacementPlace.ts';

const LINES = [
  '---',
  'name: coder',
  'tools: Read, Gerp',
  'discription: x',
  '---',
  'discription: y',
];

function place(code: string, line: number, found: string, lines: readonly string[] = LINES) {
  return replacementPlace(lines, {
    code,
    range: { line, endLine: line },
    replacement: { found, replace: 'other' },
  });
}

describe('replacementPlace', () => {
  it('is where the tool stands in the value', () =>
    assert.deepEqual(place('unknown_tool', 3, 'Gerp'), { line: 2, start: 13, end: 17 }));

  it('is where the key stands in the front matter, not in the text below', () =>
    assert.deepEqual(place('unknown_key', 4, 'discription'), { line: 3, start: 0, end: 11 }));

  it('is none when the text is another one by now, or when it could be two', () => {
    assert.equal(place('unknown_tool', 3, 'Gone'), null);
    assert.equal(place('unknown_tool', 1, 'Gerp', ['tools: Gerp, Gerp']), null);
    assert.equal(place('unknown_tool', 3, 'Ger'), null, 'a part of a word is another word');
  });

  it('is none for what has no replacement', () =>
    assert.equal(
      replacementPlace(LINES, { code: 'no_body', range: { line: 0, endLine: 0 } }),
      null,
    ));
});
