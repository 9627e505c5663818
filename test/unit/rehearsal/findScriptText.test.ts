import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { findScriptText } from '../../../src/rehearsal/findScriptText.ts';

const CASES: [name: string, text: string, expected: string | null][] = [
  ['no fence', 'write hello.txt', null],
  ['a fence of another language', '```js\nsay: no\n```', null],
  ['a word that only starts like ours', '```rehearsals\nsay: no\n```', null],
  ['a fence', 'Do it:\n```rehearsal\nsay: hi\n```\nThanks.', 'say: hi'],
  ['an indented fence', '    ```rehearsal\n    write a:\n      x\n    ```', 'write a:\n  x'],
  ['windows line ends', '```rehearsal\r\nsay: hi\r\n```\r\n', 'say: hi'],
  ['the last of several', '```rehearsal\nsay: 1\n```\n```rehearsal\nsay: 2\n```', 'say: 2'],
  ['a longer fence around a short one', '````rehearsal\nwrite a:\n  ```\n````', 'write a:\n  ```'],
  ['a fence that is never closed', '```rehearsal\nsay: hi', 'say: hi'],
  ['an empty script', '```rehearsal\n```', ''],
];

describe('findScriptText', () => {
  for (const [name, text, expected] of CASES) {
    it(name, () => {
      assert.equal(findScriptText(text), expected);
    });
  }

  it('finds any script again, however deep it is indented', () => {
    const line = fc.string().map((text) => `x${text.replace(/[\r\n`]/g, '')}`);
    fc.assert(
      fc.property(fc.array(line), fc.stringMatching(/^[ \t]{0,8}$/), (lines, indent) => {
        const block = ['```rehearsal', ...lines, '```'].map((one) => indent + one).join('\n');
        assert.equal(findScriptText(`Please:\n\n${block}\n`), lines.join('\n'));
      }),
    );
  });
});
