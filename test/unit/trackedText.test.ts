import { before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { skipBecause } from '../support/skipBecause.ts';

const THIS_FILE = 'test/unit/trackedText.test.ts';

/** What belongs to one machine or to the making of the code, and not to those who read it. */
const UNWANTED: readonly [what: string, pattern: RegExp][] = [
  ['a folder of one machine', /(?<![\w.~$}/-])\/(?:work|root|tmp\/brief)\/[\w.]/],
  [
    'the address of a package registry',
    /https?:\/\/[^\s"'`]*(?:registry|npmjs|artifactory|nexus|pypi)/i,
  ],
  ['a place that a package was fetched from', /"resolved":/],
  [
    'how the code was written',
    /\b(?:co-authored-by|generated with|helper session|(?:my|a) colleague|as an ai\b)/i,
  ],
];

describe('the text of the repository', () => {
  let files: string[] = [];

  before(function () {
    if (!existsSync('.git')) skipBecause(this, 'this is not a git checkout');
    files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
      .split('\0')
      .filter((file) => file !== '' && file !== THIS_FILE && existsSync(file));
    assert.ok(files.length > 100);
  });

  for (const [what, pattern] of UNWANTED) {
    it(`holds nowhere ${what}`, () => {
      const found = files.flatMap((file) => {
        const text = readFileSync(file, 'utf8');
        if (text.includes('\0')) return [];
        return text
          .split('\n')
          .flatMap((line, index) =>
            pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
          );
      });
      assert.deepEqual(found, []);
    });
  }
});
