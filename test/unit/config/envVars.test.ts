import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { valueAt } from '../../../src/config/configPath.ts';
import { effectiveConfig } from '../../../src/config/effectiveConfig.ts';
import { effectiveValues } from '../../../src/config/effectiveValues.ts';
import { endpointKey } from '../../../src/config/endpointKey.ts';
import { IGNORED_VARIABLES, MAPPED_VARIABLES } from '../../../src/config/envTable.ts';
import { describeVariables, environmentLayers } from '../../../src/config/envVars.ts';
import { mergeLayers } from '../../../src/config/mergeLayers.ts';
import { formatProblem } from '../../../src/config/problem.ts';
import type { ModelsFile } from '../../../src/config/schema.ts';
import { schemaAt } from '../../../src/config/schemaWalk.ts';

function load(env: Record<string, string>, files: ModelsFile = {}, hasFile = true) {
  const { layers, problems } = environmentLayers(env, files, hasFile);
  const merged = mergeLayers({
    user: [{ source: 'file', value: files }],
    workspace: [],
    environment: layers,
  });
  return { value: merged.value, origins: merged.origins, problems: problems.map(formatProblem) };
}

describe('DELEGATE_* variables', () => {
  it('each name a key of the schema', () => {
    for (const [name, { path }] of Object.entries(MAPPED_VARIABLES))
      assert.ok(schemaAt(path), name);
  });

  const samples: Record<string, [string, unknown]> = {
    text: ['some-text', 'some-text'],
    number: [' 7 ', 7],
    boolean: ['no', false],
    list: ['A, B,,', ['A', 'B']],
  };
  for (const [name, { path, kind }] of Object.entries(MAPPED_VARIABLES)) {
    it(`${name} wins over the file`, () => {
      const [text, expected] = samples[kind] ?? ['', ''];
      const { value, problems } = load({ [name]: text });
      assert.deepEqual(problems, []);
      assert.deepEqual(valueAt(value, path), expected);
    });
  }

  const wrong: [env: Record<string, string>, problem: string][] = [
    [
      { DELEGATE_LOCAL_MAX_TURNS: 'many' },
      '$DELEGATE_LOCAL_MAX_TURNS: "runners.loop.max_turns" must be a number, not the text "many"; it is ignored',
    ],
    [
      { DELEGATE_RUN_BASH: 'maybe' },
      '$DELEGATE_RUN_BASH: "runners.loop.bash" must be true or false, not the text "maybe"; it is ignored',
    ],
    [
      { DELEGATE_CONCURRENCY_GLM: '0' },
      '$DELEGATE_CONCURRENCY_GLM: "pools.glm.slots" is 0; it must be more than 0; it is ignored',
    ],
    [
      { DELEGATE_ENV_PASSTHROUGH: 'A,B C' },
      '$DELEGATE_ENV_PASSTHROUGH: "runners.loop.env_passthrough[1]" use a name of letters, digits and "_"; it is ignored',
    ],
    [
      { DELEGATE_GATEWAY: 'kong' },
      '$DELEGATE_GATEWAY: "kong" is no gateway that is known; use "litellm" or "bifrost"',
    ],
    [
      { DELEGATE_GATEWAY: ' Bifrost ' },
      '$DELEGATE_BIFROST_URL: is not set, but DELEGATE_GATEWAY=bifrost needs it',
    ],
    [
      { DELEGATE_LOCAL_URL: 'localhost' },
      '$DELEGATE_LOCAL_URL: must be an address such as http://localhost:4000',
    ],
  ];
  for (const [env, problem] of wrong) {
    it(`reports and ignores ${JSON.stringify(env)}`, () =>
      assert.deepEqual(load(env), { value: {}, origins: new Map(), problems: [problem] }));
  }

  it('that are blank count as not set', () => {
    const blank = Object.fromEntries(
      [...Object.keys(MAPPED_VARIABLES), 'DELEGATE_GATEWAY', 'DELEGATE_LOCAL_URL'].map((name) => [
        name,
        ' ',
      ]),
    );
    assert.deepEqual(load(blank), { value: {}, origins: new Map(), problems: [] });
  });

  it('find the pool they mean', () => {
    const { value } = load(
      {
        DELEGATE_CONCURRENCY_GLM: '1',
        DELEGATE_CONCURRENCY_DEFAULT: '2',
        DELEGATE_CONCURRENCY_QWEN_3: '3',
        DELEGATE_CONCURRENCY_NEW_ONE: '4',
      },
      { pools: { 'glm-': { slots: 9 }, 'qwen-3_': { slots: 9 } } },
    );
    assert.deepEqual(value.pools, {
      'glm-': { slots: 1 },
      'qwen-3_': { slots: 3 },
      default: { slots: 2 },
      'new-one': { slots: 4 },
    });
  });

  const endpoints: [
    name: string,
    env: Record<string, string>,
    files: ModelsFile,
    hasFile: boolean,
    expected: ModelsFile['endpoints'],
  ][] = [
    ['nothing set, a file', {}, {}, true, undefined],
    [
      'nothing set, no file',
      {},
      {},
      false,
      {
        'delegate-local': {
          base_url: 'http://localhost:4000',
          locality: 'unknown',
          backend: 'litellm',
        },
      },
    ],
    [
      'address and key',
      { DELEGATE_LOCAL_URL: 'http://box:8080/v1/messages', DELEGATE_LOCAL_KEY: 'k' },
      {},
      true,
      {
        'delegate-local': {
          base_url: 'http://box:8080',
          locality: 'unknown',
          api_key: '${env:DELEGATE_LOCAL_KEY}',
        },
      },
    ],
    [
      'the address of an endpoint of the file',
      { DELEGATE_LOCAL_URL: 'http://box/v1', DELEGATE_LOCAL_KEY: 'k' },
      { endpoints: { mine: { base_url: 'http://box' } } },
      true,
      { mine: { base_url: 'http://box', api_key: '${env:DELEGATE_LOCAL_KEY}' } },
    ],
    [
      'a key without address beside a file',
      { DELEGATE_LOCAL_KEY: 'k' },
      { endpoints: { mine: { base_url: 'http://box' } } },
      true,
      { mine: { base_url: 'http://box' } },
    ],
    ...[
      'http://b',
      'http://b/',
      'http://b/litellm',
      'http://b/litellm/v1/messages',
      'http://b/anthropic/v1/messages',
    ].map((url): [string, Record<string, string>, ModelsFile, boolean, ModelsFile['endpoints']] => [
      `bifrost at ${url}`,
      {
        DELEGATE_GATEWAY: 'bifrost',
        DELEGATE_BIFROST_URL: url,
        DELEGATE_BIFROST_VK_LOCAL: 'l',
        DELEGATE_BIFROST_VK_CODE: 'c',
      },
      {},
      false,
      {
        bifrost: {
          base_url: 'http://b/litellm',
          backend: 'bifrost',
          locality: 'unknown',
          api_key: {
            'local-*': '${env:DELEGATE_BIFROST_VK_LOCAL}',
            'ornith*': '${env:DELEGATE_BIFROST_VK_LOCAL}',
            '*': '${env:DELEGATE_BIFROST_VK_CODE}',
          },
        },
      },
    ]),
  ];
  for (const [name, env, files, hasFile, expected] of endpoints)
    it(`endpoint: ${name}`, () =>
      assert.deepEqual(load(env, files, hasFile).value.endpoints, expected));

  it('give each model its key', () => {
    const { value } = load({
      DELEGATE_GATEWAY: 'bifrost',
      DELEGATE_BIFROST_URL: 'http://b',
      DELEGATE_BIFROST_VK_LOCAL: 'l',
      DELEGATE_BIFROST_VK_CODE: 'c',
    });
    const endpoint = effectiveConfig(value, []).endpoints['bifrost'];
    assert.ok(endpoint);
    assert.deepEqual(
      ['local-qwen', 'ornith', 'ornith-2', 'qwen3-32b', 'openai/x', null].map(
        (model) => /VK_(\w+)/.exec(endpointKey(endpoint, model))?.[1],
      ),
      ['LOCAL', 'LOCAL', 'LOCAL', 'CODE', 'CODE', 'CODE'],
    );
    assert.equal(endpointKey({ api_key: '${env:A}' }, 'x'), '${env:A}');
  });

  it('are all described, without their values', () => {
    const uses = describeVariables({
      DELEGATE_SLOT_DIR: 'hush',
      DELEGATE_LOCAL_MODEL: 'hush',
      DELEGATE_LOCAL_URL: 'hush',
      DELEGATE_LOCAL_MODLE: 'hush',
      DELEGATE_CONCURRENCY_GLM: 'hush',
      OTHER: 'x',
      DELEGATE_LOG: '',
    });
    assert.deepEqual(
      uses.map(({ name, use, text }) => [name, use, text]),
      [
        ['DELEGATE_CONCURRENCY_GLM', 'sets', 'pools.glm.slots'],
        ['DELEGATE_LOCAL_MODEL', 'sets', 'defaults.model'],
        ['DELEGATE_LOCAL_MODLE', 'unknown', 'DELEGATE_LOCAL_MODEL'],
        ['DELEGATE_LOCAL_URL', 'sets', 'the address of an endpoint'],
        ['DELEGATE_SLOT_DIR', 'ignored', IGNORED_VARIABLES['DELEGATE_SLOT_DIR']],
      ],
    );
    assert.doesNotMatch(JSON.stringify(uses), /hush/);
  });
});

describe('effectiveValues', () => {
  it('lists every key with its origin and hides keys', () => {
    const files: ModelsFile = {
      endpoints: {
        a: {
          base_url: 'http://h',
          api_key: 'sk-hush',
          headers: { Authorization: 'Bearer ${env:T}', 'X-Key': 'sk-hush' },
        },
      },
    };
    const { value, origins } = load({ DELEGATE_LOCAL_MODEL: 'm' }, files);
    const values = effectiveValues({
      config: effectiveConfig(value, []),
      origin: (path) => origins.get(path) ?? 'default',
    });
    const find = (path: string) => values.find((item) => item.path === path);
    assert.deepEqual(find('defaults.model'), {
      path: 'defaults.model',
      value: 'm',
      origin: '$DELEGATE_LOCAL_MODEL',
    });
    assert.deepEqual(find('defaults.max_turns'), {
      path: 'defaults.max_turns',
      value: 60,
      origin: 'default',
    });
    assert.deepEqual(find('endpoints.a.api_key'), {
      path: 'endpoints.a.api_key',
      value: '(hidden)',
      origin: 'file',
    });
    assert.equal(find('endpoints.a.headers.Authorization')?.value, 'Bearer ${env:T}');
    assert.doesNotMatch(JSON.stringify(values), /hush/);
    assert.equal(new Set(values.map(({ path }) => path)).size, values.length);
  });
});
