import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type ConfigPath, formatPath, parsePath } from '../../../src/config/configPath.ts';

describe('configPath', () => {
  const table: [path: ConfigPath, text: string][] = [
    [[], ''],
    [['endpoints', 'llamacpp', 'base_url'], 'endpoints.llamacpp.base_url'],
    [['models', 'qwen3.8-27b', 'format'], 'models["qwen3.8-27b"].format'],
    [['failover', 'chains', 'a', 0], 'failover.chains.a[0]'],
    [['failover', 'chains', '1', 1], 'failover.chains.1[1]'],
    [['', 'a"b', 'é]', '\\'], '[""]["a\\"b"]["é]"]["\\\\"]'],
    [[0, 'a'], '[0].a'],
  ];
  for (const [path, text] of table) {
    it(`writes and reads ${text === '' ? 'the whole file' : text}`, () => {
      assert.equal(formatPath(path), text);
      assert.deepEqual(parsePath(text), path);
    });
  }

  it('reads back any path', () => {
    const segment = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[A-Za-z0-9_-]+$/),
      fc.nat(),
    );
    fc.assert(
      fc.property(fc.array(segment), (path) => {
        assert.deepEqual(parsePath(formatPath(path)), path);
      }),
    );
  });

  it('answers null for what formatPath() never writes, and never throws', () => {
    const wrong = ['.a', 'a..b', 'a.', '[01]', '[-1]', '["a]', '[a]', 'a b', '["a"]b', '["\\x"]'];
    for (const text of [...wrong, '["\\u0061"]', '["a"]', '[1.5]', '["\n"]'])
      assert.equal(parsePath(text), null, text);
    const alphabet = fc.constantFrom('a', '.', '[', ']', '"', '\\', '0', 'u');
    fc.assert(
      fc.property(fc.string({ unit: alphabet }), (text) => {
        const path = parsePath(text);
        if (path !== null) assert.equal(formatPath(path), text);
      }),
    );
  });
});
