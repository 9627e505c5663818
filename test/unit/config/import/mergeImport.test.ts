import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { stringify } from 'yaml';
import { editModelsText } from '../../../../src/config/edit/editModelsText.ts';
import { environment } from '../../../../src/config/import/environment.ts';
import { importYaml } from '../../../../src/config/import/importYaml.ts';
import { liteLlmConfig } from '../../../../src/config/import/liteLlmConfig.ts';
import { LiteralKeys } from '../../../../src/config/import/literalKeys.ts';
import { localAgents } from '../../../../src/config/import/localAgents.ts';
import { mergeImport } from '../../../../src/config/import/mergeImport.ts';
import { parseModelsText } from '../../../../src/config/parse.ts';
import type { ModelsFile } from '../../../../src/config/schema.ts';
import { BridgeError } from '../../../../src/base/bridgeError.ts';

/** Stands for every key; a word that no key name or sentence of ours holds. */
const KEY = 'sk-hushed-0123456789';

function merge(
  before: string,
  imported: ModelsFile,
  beside: Record<string, unknown> = {},
): { text: string; notes: string[] } {
  const { edits, notes } = mergeImport(importYaml(before), imported, beside);
  const edited = editModelsText(before, edits);
  assert.ok(edited.isOk, edited.isOk ? '' : edited.message);
  return { text: edited.text, notes };
}

const text = fc.oneof(
  fc.constantFrom('os.environ/A_KEY', '', '*', '__proto__', 'constructor', '12'),
  fc.string({ maxLength: 12 }),
);
/** Where a key may stand. */
const keyText = fc.oneof(text, fc.constantFrom(KEY, `Bearer ${KEY}`));
const address = fc.constantFrom(
  'http://h:1',
  'http://h:1/v1/',
  'http://localhost:4000',
  'https://api.z.ai/api/anthropic',
  'nonsense',
);
/** Where a login may stand in an address. */
const loginAddress = fc.oneof(address, fc.constant(`http://me:${KEY}@h:2`));
const anything = fc.oneof(
  text,
  address,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);
const deep = fc.oneof(
  anything,
  fc.array(anything, { maxLength: 3 }),
  fc.dictionary(text, anything, { maxKeys: 3 }),
);

const liteLlm = fc.record(
  {
    model_list: fc.array(
      fc.oneof(
        deep,
        fc.record(
          {
            model_name: fc.oneof(text, fc.constantFrom('a', 'b', 'c')),
            litellm_params: fc.record(
              {
                model: fc.oneof(
                  text,
                  fc.constantFrom('openai/a', 'ollama/b', 'anthropic/c', 'groq/*'),
                ),
                api_base: fc.oneof(loginAddress, deep),
                api_key: keyText,
                max_tokens: deep,
                input_cost_per_token: deep,
              },
              { requiredKeys: [] },
            ),
            model_info: deep,
          },
          { requiredKeys: [] },
        ),
      ),
      { maxLength: 6 },
    ),
    router_settings: fc.oneof(
      deep,
      fc.record({
        fallbacks: fc.array(
          fc.dictionary(
            fc.constantFrom('a', 'b', 'c', '*'),
            fc.array(fc.constantFrom('a', 'b', 'c', 'd')),
          ),
        ),
      }),
    ),
    general_settings: fc.oneof(deep, fc.record({ master_key: keyText })),
    environment_variables: fc.oneof(deep, fc.record({ A_KEY: fc.constant(KEY) })),
  },
  { requiredKeys: [] },
);

const agents = fc.record(
  {
    endpoints: fc.oneof(
      deep,
      fc.dictionary(
        fc.oneof(text, fc.constantFrom('a', 'b')),
        fc.record(
          {
            base_url: fc.oneof(loginAddress, deep),
            backend: fc.oneof(text, fc.constantFrom('llamacpp', 'vLLM', 'ollama')),
            api_key: keyText,
            headers: fc.dictionary(fc.constantFrom('authorization', 'x-api-key'), keyText),
            env: fc.dictionary(fc.constantFrom('ANTHROPIC_AUTH_TOKEN', 'MY_SECRET'), keyText),
            proxy: fc.oneof(loginAddress, text),
            colour: deep,
          },
          { requiredKeys: [] },
        ),
        { maxKeys: 4 },
      ),
    ),
    models: fc.oneof(
      deep,
      fc.dictionary(text, fc.record({ endpoint: loginAddress, context: deep, env: deep })),
    ),
    defaults: fc.oneof(deep, fc.record({ model: text, max_turns: deep, allowed_tools: deep })),
  },
  { requiredKeys: [] },
);

const PRESENT: readonly string[] = [
  '',
  '# mine\nendpoints:\n  a: { base_url: "http://h:1" } # note\n',
  'endpoints:\r\n  other:\r\n    base_url: http://elsewhere\r\n  a:\r\n    base_url: http://else\r\nfailover:\r\n  chains: {}\r\n',
  'models: {}\ndefaults:\n  max_turns: 7\n',
  'endpoints:\n',
];

describe('mergeImport', () => {
  it('adds what is new, keeps what is there, and says which is which', () => {
    const before =
      'endpoints:\n  # the big one\n  tower: { base_url: http://127.0.0.1:8080, notes: mine }   # keep\n  vllm: { base_url: http://old:8000 }\n';
    const { text: after, notes } = merge(
      before,
      {
        endpoints: {
          llamacpp: {
            base_url: 'http://localhost:8080',
            notes: 'theirs',
            backend: 'llama.cpp',
            locality: 'unknown',
          },
          vllm: { base_url: 'http://gpu:8000', backend: 'vllm' },
          side: { base_url: 'http://side' },
        },
        defaults: { max_turns: 9 },
      },
      { endpoints: { aside: { base_url: 'http://side/v1' } } },
    );
    assert.deepEqual(importYaml(after), {
      endpoints: {
        tower: { base_url: 'http://127.0.0.1:8080', notes: 'mine', backend: 'llama.cpp' },
        vllm: { base_url: 'http://old:8000' },
        'vllm-2': { base_url: 'http://gpu:8000', backend: 'vllm' },
      },
      defaults: { max_turns: 9 },
    });
    assert.match(after, /# the big one\n.*# keep\n/s);
    assert.deepEqual(notes, [
      'The address of "llamacpp" is there already as "tower".',
      'endpoints.tower.notes stays as it is; the import says something else.',
      '"vllm" is added as "vllm-2": another address has that name.',
      'The address of "side" is there already as "aside", in the file beside this one; it was not added.',
    ]);
  });

  it('does not write over what is there but cannot be used', () => {
    const { text: after } = merge('defaults: { max_turns: many }\n', {
      defaults: { max_turns: 9 },
    });
    assert.equal(after, 'defaults: { max_turns: many }\n');
  });

  for (const [what, source, read] of [
    ['a LiteLLM configuration', liteLlm, readLiteLlm],
    [
      'a localagents file',
      agents,
      (data: unknown, literals: LiteralKeys) => localAgents(stringify(data), literals),
    ],
  ] as const) {
    it(`whatever stands in ${what}: no key in file or notes, a file that is right, and nothing to do the second time`, function () {
      this.timeout(120_000);
      fc.assert(
        fc.property(
          source as fc.Arbitrary<unknown>,
          fc.constantFrom(...PRESENT),
          (data, before) => {
            const literals = new LiteralKeys();
            const imported = readOrRefuse(() => read(data, literals));
            if (imported === null) return;
            const { text: after, notes } = merge(before, imported.file);
            assert.ok(!after.includes(KEY), after);
            assert.ok(![...imported.notes, ...notes].join('\n').includes(KEY), notes.join('\n'));
            assert.ok(!JSON.stringify(literals).includes(KEY));
            const errors = parseModelsText(after, 'f').problems.filter(
              ({ severity }) => severity === 'error',
            );
            assert.deepEqual(errors, [], after);
            const again = merge(after, imported.file);
            assert.equal(again.text, after);
          },
        ),
        { numRuns: 400 },
      );
    });
  }

  it('is done once for an environment, too', () => {
    const { file } = environment({ DELEGATE_LOCAL_URL: 'http://h:4000', DELEGATE_LOCAL_KEY: KEY });
    const { text: after } = merge('# mine\n', file);
    assert.ok(!after.includes(KEY));
    assert.equal(merge(after, file).text, after);
  });
});

function readLiteLlm(data: unknown, literals: LiteralKeys) {
  const options = { gatewayUrl: 'http://127.0.0.1:4000', env: {}, literals } as const;
  const config = importYaml(stringify(data));
  const gateway = liteLlmConfig(config, { ...options, as: 'gateway' });
  assert.ok(!JSON.stringify(gateway).includes(KEY));
  return liteLlmConfig(config, { ...options, as: 'direct' });
}

/** Null: refused in words, which is allowed. */
function readOrRefuse<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (BridgeError.is(error, 'bad_argument') && !error.message.includes(KEY)) return null;
    throw error;
  }
}
