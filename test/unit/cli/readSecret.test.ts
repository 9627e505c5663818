import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readSecret } from '../../../src/cli/readSecret.ts';
import { cliDouble } from './cliDouble.ts';

describe('readSecret', () => {
  const cases: [string, string | null][] = [
    ['value\n', 'value'],
    ['value', 'value'],
    ['with spaces and "quotes" \r\n', 'with spaces and "quotes" '],
    ['first\nsecond\n', 'first'],
    ['', null],
    ['\n', null],
  ];
  for (const [text, expected] of cases) {
    it(`${JSON.stringify(text)} gives ${JSON.stringify(expected)}`, async () => {
      const { context, written } = cliDouble({}, text);
      if (expected === null) await assert.rejects(readSecret('key', context), /No value was given/);
      else assert.equal(await readSecret('key', context), expected);
      assert.equal(written.stdout + written.stderr, '', 'nothing of it is shown');
    });
  }
});
