import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { globMatch } from '../../../../src/bridge/endpoints/globMatch.ts';

describe('globMatch', () => {
  const table: readonly (readonly [pattern: string, name: string, fits: boolean])[] = [
    ['*Qwen3.8*', 'unsloth/Qwen3.8-27B-GGUF:UD-Q4_K_XL', true],
    ['unsloth/*', 'unsloth/a/b', true],
    ['*', '', true],
    ['?', '', false],
    ['glm-?', 'glm-5', true],
    ['glm-?', 'glm-52', false],
    ['glm-[45]', 'glm-5', true],
    ['glm-[!45]', 'glm-5', false],
    ['glm-[!45]', 'glm-6', true],
    ['glm-[4-6].x', 'glm-5.x', true],
    ['glm-[]]', 'glm-]', true],
    ['[', '[', true],
    ['a[b', 'a[b', true],
    ['a.c', 'abc', false],
    ['A*', 'abc', false],
    ['a**b', 'axxb', true],
    ['(a|b)', 'a', false],
    ['{a,b}', 'a', false],
    ['*ab', 'aab', true],
    ['a*b*c', 'abbbcbc', true],
    ['a*b*c', 'abbbcb', false],
  ];
  for (const [pattern, name, fits] of table) {
    it(`${pattern} ${fits ? 'fits' : 'does not fit'} ${name || 'nothing'}`, () => {
      assert.equal(globMatch(pattern, name), fits);
    });
  }

  it('agrees with the obvious recursive definition', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', '-'), maxLength: 9 });
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '?'), maxLength: 8 });
    const simple = (pattern: string, name: string): boolean => {
      if (pattern === '') return name === '';
      const rest = pattern.slice(1);
      if (pattern[0] === '*')
        return simple(rest, name) || (name !== '' && simple(pattern, name.slice(1)));
      return (
        name !== '' && (pattern[0] === '?' || pattern[0] === name[0]) && simple(rest, name.slice(1))
      );
    };
    fc.assert(
      fc.property(patterns, letters, (pattern, name) => {
        assert.equal(globMatch(pattern, name), simple(pattern, name));
      }),
      { numRuns: 1000 },
    );
  });

  it('is quick for a pattern made to be slow', () => {
    const startedAt = performance.now();
    assert.equal(globMatch(`${'*a'.repeat(100)}b`, 'a'.repeat(300)), false);
    assert.ok(performance.now() - startedAt < 1000);
  });
});
