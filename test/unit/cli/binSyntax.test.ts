import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { transform } from 'esbuild';
import vm from 'node:vm';

const BIN = resolve(import.meta.dirname, '../../../bin');

describe('bin', () => {
  for (const name of ['delegate', 'delegate-wait']) {
    const source = readFileSync(resolve(BIN, `${name}.cjs`), 'utf8').replace(/^#!.*\n/, '');

    it(`${name} parses on Node 12`, async () => {
      const { code, warnings } = await transform(source, {
        target: 'node12',
        supported: { arrow: false, 'const-and-let': false, 'template-literal': false },
      });
      assert.deepEqual(warnings, []);
      assert.ok(code.includes('require("../dist/'));
    });

    const versions: [string, boolean][] = [
      ['12.22.0', false],
      ['20.19.0', false],
      ['22.12.0', false],
      ['22.13.0', true],
      ['24.1.0', true],
    ];
    for (const [version, isGood] of versions) {
      it(`${name} on Node ${version} ${isGood ? 'goes on' : 'says what it needs'}`, () => {
        const said: string[] = [];
        const required: string[] = [];
        const fake = {
          versions: { node: version },
          argv: ['node', name, 'claude-code-1'],
          exitCode: undefined as number | undefined,
        };
        vm.runInNewContext(source, {
          process: fake,
          console: { error: (text: string) => said.push(text) },
          require: (id: string) => required.push(id),
        });
        assert.deepEqual(required, isGood ? ['../dist/cli.cjs'] : []);
        if (isGood && name === 'delegate-wait')
          assert.deepEqual(fake.argv, ['node', name, 'wait', 'claude-code-1']);
        assert.equal(fake.exitCode, isGood ? undefined : 1);
        if (!isGood)
          assert.deepEqual(said, [`${name} needs Node 22.13 or newer; this is Node ${version}.`]);
      });
    }
  }
});
