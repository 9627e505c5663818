import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { importYaml } from '../../../../src/config/import/importYaml.ts';
import type { Imported } from '../../../../src/config/import/imported.ts';
import {
  isLiteLlmGateway,
  liteLlmConfig,
  type LiteLlmOptions,
} from '../../../../src/config/import/liteLlmConfig.ts';
import { liteLlmIncludes } from '../../../../src/config/import/liteLlmIncludes.ts';
import { LiteralKeys } from '../../../../src/config/import/literalKeys.ts';

const KEY = 'sk-known-and-hushed';

function read(text: string, options: Partial<LiteLlmOptions> = {}): Imported {
  return liteLlmConfig(importYaml(text), {
    ...{ as: 'direct', gatewayUrl: 'http://127.0.0.1:4000', env: {} },
    literals: new LiteralKeys(),
    ...options,
  });
}

function model(params: string, info = ''): string {
  return `model_list:\n  - model_name: alias\n    litellm_params: { ${params} }\n${info}`;
}

describe('liteLlmConfig, the servers behind it', () => {
  it('makes one endpoint of the models with one address, and keeps the keys where they are', () => {
    const { file, notes } = read(`
model_list:
  - model_name: local-qwen
    litellm_params: { model: hosted_vllm/Qwen/Qwen3-32B, api_base: http://gpu:8000/v1, api_key: none, rpm: 10 }
    model_info: { max_input_tokens: 131072 }
  - model_name: local-coder
    litellm_params: { model: openai/coder, api_base: "http://gpu:8000/v1/", max_tokens: 8192 }
  - model_name: sonnet
    litellm_params: { model: anthropic/claude-sonnet-5, api_key: os.environ/ANTHROPIC_API_KEY }
  - model_name: gpt
    litellm_params: { model: gpt-6-luna }
  - model_name: think
    litellm_params: { model: anthropic/glm-5.2, api_base: https://api.z.ai/api/anthropic, api_key: os.environ/ZAI_KEY, input_cost_per_token: 0.0000002 }
  - model_name: embed
    litellm_params: { model: openai/text-embedding-3, api_key: os.environ/OPENAI_API_KEY }
    model_info: { mode: embedding }
litellm_settings: { drop_params: true, fallbacks: [{ local-qwen: [sonnet, think] }, { gpt: [sonnet] }] }
router_settings: { routing_strategy: simple-shuffle, fallbacks: [{ think: [sonnet, think, nowhere] }] }
`);
    assert.deepEqual(file, {
      endpoints: {
        vllm: { base_url: 'http://gpu:8000', backend: 'vllm' },
        anthropic: {
          base_url: 'https://api.anthropic.com',
          backend: 'anthropic',
          api_key: '${env:ANTHROPIC_API_KEY}',
        },
        openai: {
          base_url: 'https://api.openai.com',
          backend: 'openai',
          api_key: '${env:OPENAI_API_KEY}',
        },
        'api.z.ai': { base_url: 'https://api.z.ai/api/anthropic', api_key: '${env:ZAI_KEY}' },
      },
      models: {
        'Qwen/Qwen3-32B': { context_window: 131_072 },
        coder: { max_tokens: 8192 },
        'glm-5.2': { input_per_mtok: 0.2 },
      },
      failover: {
        when: ['pool_full', 'error'],
        chains: {
          'glm-5.2': ['claude-sonnet-5'],
          'Qwen/Qwen3-32B': ['claude-sonnet-5', 'glm-5.2'],
        },
      },
    });
    for (const note of [
      /^The model "embed" was left out: it is for "embedding", not for chat\.$/,
      /^"sonnet" does not stand in for "gpt": "gpt-6-luna" is pinned/,
      /^"nowhere" does not stand in for "think": no endpoint serves it\.$/,
      /^rpm of the models have no place here/,
      /^router_settings was left out \(routing_strategy\)\.$/,
      /"local-qwen" is "Qwen\/Qwen3-32B"/,
    ])
      assert.ok(
        notes.some((each) => note.test(each)),
        `${note}\n${notes.join('\n')}`,
      );
  });

  const ADDRESSES: readonly [params: string, expected: string | RegExp][] = [
    ['model: openai/x, api_base: "http://h:1"', 'http://h:1'],
    ['model: openai/x, api_base: "http://h:1/v1/"', 'http://h:1'],
    ['model: openai/x, base_url: "http://h:1/v1"', 'http://h:1'],
    ['model: openrouter/meta/llama', 'https://openrouter.ai/api'],
    ['model: groq/llama', 'https://api.groq.com/openai'],
    ['model: ollama_chat/llama3', 'http://localhost:11434'],
    ['model: x, custom_llm_provider: openai, api_base: "http://h:2"', 'http://h:2'],
    ['model: openai/x, api_base: os.environ/HERE', 'http://from-env:3'],
    [
      'model: openai/x, api_base: os.environ/NOT_HERE',
      /its address is in "NOT_HERE", which is not set here/,
    ],
    ['model: hosted_vllm/x', /it has no api_base/],
    [
      'model: azure/x, api_base: "https://x.openai.azure.com"',
      /provider "azure" can only be asked through LiteLLM/,
    ],
    ['model: bedrock/anthropic.claude', /provider "bedrock"/],
    ['model: openai/x, api_base: "https://h/api/v3"', /another path than \/v1/],
    ['model: openai/x, api_base: "https://h/v1beta/openai"', /another path than \/v1/],
    ['model: openai/x, api_base: "http://me:pw@h"', /holds a login/],
    ['model: openai/x, api_base: "ftp://h"', /no http address/],
    ['model: openai/x, api_base: 7', /no address/],
    ['model: my-model', /names no provider/],
    ['model: "*"', /names no provider/],
    ['model: "openai/*"', 'https://api.openai.com'],
    ['timeout: 3', /names no model/],
  ];
  for (const [params, expected] of ADDRESSES)
    it(`${params} is ${String(expected)}`, () => {
      const { file, notes } = read(model(params), { env: { HERE: 'http://from-env:3/v1' } });
      const urls = Object.values(file.endpoints ?? {}).map(({ base_url }) => base_url);
      if (typeof expected === 'string') assert.deepEqual(urls, [expected]);
      else {
        assert.deepEqual(urls, []);
        assert.match(notes.join('\n'), expected);
      }
    });

  it('gives each model its own key where one server is given several', () => {
    const literals = new LiteralKeys((name) => (name === 'litellm-openai-h' ? 'another' : null));
    const { file } = read(
      `model_list:
  - { model_name: a, litellm_params: { model: openai/a, api_base: "http://h/v1", api_key: ${KEY} } }
  - { model_name: b, litellm_params: { model: openai/b, api_base: "http://h/v1", api_key: os.environ/B } }
  - { model_name: c, litellm_params: { model: openai/c, api_base: "http://h/v1", api_key: os.environ/FROM_FILE } }
environment_variables: { FROM_FILE: ${KEY}-2 }
`,
      { literals },
    );
    assert.deepEqual(file.endpoints?.['h']?.api_key, {
      a: '${secret:litellm-openai-h-2}',
      b: '${env:B}',
      c: '${secret:FROM_FILE}',
    });
    assert.equal(literals.valueOf('FROM_FILE'), `${KEY}-2`);
    assert.ok(!JSON.stringify([file, literals]).includes(KEY));
  });

  it('says that a second key for one model was not taken', () => {
    const { file, notes } = read(`model_list:
  - { model_name: a, litellm_params: { model: openai/a, api_base: "http://h", api_key: os.environ/A } }
  - { model_name: a, litellm_params: { model: openai/a, api_base: "http://h", api_key: os.environ/B } }
`);
    assert.equal(file.endpoints?.['h']?.api_key, '${env:A}');
    assert.match(notes.join('\n'), /"a" has several keys for one server/);
  });

  it('says so when there is nothing', () => {
    const { file, notes } = read('litellm_settings: {}');
    assert.deepEqual(file, {});
    assert.match(notes.join('\n'), /model_list has no entries/);
  });
});

describe('liteLlmConfig, the gateway itself', () => {
  const TEXT = `model_list: [{ model_name: a, litellm_params: { model: openai/a } }]
router_settings: { fallbacks: [{ a: [b] }] }
general_settings: { master_key: os.environ/LITELLM_MASTER_KEY }
`;

  it('is one endpoint with its key by reference', () => {
    const { file, notes } = read(TEXT, { as: 'gateway', gatewayUrl: 'http://gw:4000/v1' });
    assert.deepEqual(file, {
      endpoints: {
        litellm: {
          base_url: 'http://gw:4000',
          backend: 'litellm',
          api_key: '${env:LITELLM_MASTER_KEY}',
        },
      },
    });
    assert.match(notes.join('\n'), /Its fallbacks stay in LiteLLM/);
    assert.match(notes.join('\n'), /local-only jobs do not use it/);
  });

  it('never writes a master key that stands in the file', () => {
    const literals = new LiteralKeys();
    const { file, notes } = read(`general_settings: { master_key: ${KEY} }`, {
      as: 'gateway',
      literals,
    });
    assert.equal(file.endpoints?.['litellm']?.api_key, '${secret:litellm}');
    assert.equal(literals.valueOf('litellm'), KEY);
    assert.ok(!JSON.stringify([file, notes]).includes(KEY));
  });

  it('is known by its general settings', () => {
    assert.equal(isLiteLlmGateway(importYaml(TEXT)), true);
    for (const text of ['model_list: []', 'general_settings: {}', 'general_settings: 3'])
      assert.equal(isLiteLlmGateway(importYaml(text)), false, text);
  });
});

describe('liteLlmIncludes', () => {
  it('adds lists, fills groups up, and names what it may not read', () => {
    const files: Record<string, string> = {
      'models.yaml':
        'model_list: [{ model_name: b }]\ngeneral_settings: { master_key: theirs, x: 1 }\n',
    };
    const { config, notes } = liteLlmIncludes(
      'include: [models.yaml, /etc/passwd]\nmodel_list: [{ model_name: a }]\ngeneral_settings: { master_key: mine }\n',
      (name) => files[name] ?? null,
    );
    assert.deepEqual(config, {
      model_list: [{ model_name: 'a' }, { model_name: 'b' }],
      general_settings: { master_key: 'mine', x: 1 },
    });
    assert.deepEqual(notes, [
      '"/etc/passwd" was not read: only files beside the configuration are included.',
    ]);
  });
});
