import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { skipBecause } from '../../support/skipBecause.ts';
import { inFarNet, whyNoFarNet } from './farNet.ts';

describe('local-only in a network with a real public address', function () {
  this.timeout(300_000);
  let scratch: string;
  before(() => {
    scratch = mkdtempSync(join(tmpdir(), 'delegate-far-'));
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  for (const [what, inside] of [
    ['names that lie', 'namesInside.test.ts'],
    ['servers that are dead, slow, overloaded, or send elsewhere', 'serversInside.test.ts'],
  ] as const) {
    it(`a cloud sees no byte: ${what}`, function () {
      const why = whyNoFarNet(scratch);
      if (why !== null) skipBecause(this, why);
      const mocha = resolve('node_modules/mocha/bin/mocha.js');
      const file = join(import.meta.dirname, inside);
      const { code, output } = inFarNet(scratch, [
        process.execPath,
        mocha,
        '--config',
        resolve('test/mocharc.json'),
        file,
      ]);
      assert.equal(code, 0, output);
      assert.match(output, /\d+ passing/, output);
    });
  }
});
