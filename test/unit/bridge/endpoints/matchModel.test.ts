import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { matchKind, matchModel } from '../../../../src/bridge/endpoints/matchModel.ts';

const QWEN = 'unsloth/Qwen3.8-27B-GGUF:UD-Q4_K_XL';
const DEEPSEEK = 'deepseek-ai/DeepSeek-V4-Flash';

describe('matchModel', () => {
  const table: readonly (readonly [
    name: string,
    ids: readonly string[],
    expected: string | null,
  ])[] = [
    ['qwen3.8-27b', [DEEPSEEK, QWEN], `fuzzy ${QWEN}`],
    ['deepseek-v4-flash', [QWEN, DEEPSEEK], `fuzzy ${DEEPSEEK}`],
    ['*Qwen3.8*', [DEEPSEEK, QWEN], `glob ${QWEN}`],
    ['*V4*', [QWEN, DEEPSEEK], `glob ${DEEPSEEK}`],
    ['qwen3-coder', [QWEN, DEEPSEEK], null],
    // Better kinds win wherever they stand.
    ['llama3', ['llama3-70b', 'llama3'], 'exact llama3'],
    ['llama3', ['llama3-70b', 'llama3:latest'], 'exact llama3:latest'],
    ['Llama3', ['llama3-70b', 'other'], 'fuzzy llama3-70b'],
    ['m[1]', ['m1', 'm[1]'], 'exact m[1]'],
    // Word boundaries.
    ['llama3', ['codellama34b'], null],
    ['llama3', ['CodeLlama-34b'], null],
    ['llama', ['codellama'], null],
    ['llama3', ['meta/Llama-3.1-8B'], 'fuzzy meta/Llama-3.1-8B'],
    ['llama3', ['llama34b'], null],
    ['qwen3.8', ['Qwen/Qwen3-8B'], null],
    ['qwen3.8', ['Qwen/Qwen3-80B'], null],
    ['qwen', ['Qwen3-8B'], 'fuzzy Qwen3-8B'],
    ['gemma3', ['gemma3n'], null],
    ['7b', ['mistral-27b'], null],
    ['glm', ['GLM-5.3-Flash-EXL3'], 'fuzzy GLM-5.3-Flash-EXL3'],
    ['gpt-4', ['gpt-4o'], null],
    // Too short to mean anything.
    ['q4', [QWEN], null],
    ['', ['a'], null],
    ['...', ['a.b.c'], null],
    ['qwen3.8', [], null],
  ];
  for (const [name, ids, expected] of table) {
    it(`'${name}' in [${ids.join(', ')}] finds ${expected ?? 'nothing'}`, () => {
      const match = matchModel(name, ids);
      assert.equal(match === null ? null : `${match.kind} ${match.id}`, expected);
    });
  }

  const idArbitrary = fc.string({
    unit: fc.constantFrom('a', 'B', 'c', '3', '8', '.', '-', '/', ':'),
    minLength: 1,
    maxLength: 12,
  });

  it('an id that is served finds itself, whatever else is served', () => {
    fc.assert(
      fc.property(
        fc.array(idArbitrary),
        idArbitrary,
        fc.array(idArbitrary),
        (before, id, after) => {
          assert.deepEqual(matchModel(id, [...before, id, ...after]), { id, kind: 'exact' });
        },
      ),
    );
  });

  it('never finds a worse kind than the best there is', () => {
    const rank = { exact: 0, glob: 1, fuzzy: 2 };
    fc.assert(
      fc.property(idArbitrary, fc.array(idArbitrary, { minLength: 1 }), (name, ids) => {
        const kinds = ids.flatMap((id) => matchKind(name, id) ?? []);
        const best = kinds.sort((a, b) => rank[a] - rank[b])[0];
        assert.equal(matchModel(name, ids)?.kind, best);
      }),
    );
  });

  it('a fuzzy hit holds the letters and digits of the name in one piece', () => {
    const squash = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
    fc.assert(
      fc.property(idArbitrary, idArbitrary, (name, id) => {
        if (matchKind(name, id) === 'fuzzy') assert.ok(squash(id).includes(squash(name)));
      }),
      { numRuns: 2000 },
    );
  });
});
