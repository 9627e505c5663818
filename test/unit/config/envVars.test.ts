import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { valueAt } from '../../../src/config/configPath.ts';
import { effectiveConfig } from '../../../src/config/effectiveConfig.ts';
import { effectiveValues } from '../../../src/config/effectiveValues.ts';
import { endpointKey } from '../../../src/config/endpointKey.ts';
import {
  FACT_VARIABLES,
  IGNORED_VARIABLES,
  MAPPED_VARIABLES,
} from '../../../src/config/envTable.ts';
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
    path: [' ~/some/dir ', '~/some/dir'],
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
      '$DELEGATE_CONCURRENCY_GLM: "pools.glm-.slots" is 0; it must be more than 0; it is ignored',
    ],
    [
      { DELEGATE_ENV_PASSTHROUGH: 'A,B C' },
      '$DELEGATE_ENV_PASSTHROUGH: "runners.loop.env_passthrough[1]" use a name of letters, digits and "_"; it is ignored',
    ],
    [
      { DELEGATE_LOCAL_AGENTS_DIR: 'agents' },
      '$DELEGATE_LOCAL_AGENTS_DIR: must be an absolute path, or one that begins with "~/"; it is ignored',
    ],
    [
      { DELEGATE_PROMPT_CACHING: 'auto' },
      '$DELEGATE_PROMPT_CACHING: must be one of 0, 1, false, no, off, true, yes, on; it is ignored',
    ],
    [
      { DELEGATE_RESEND_REASONING: '2' },
      '$DELEGATE_RESEND_REASONING: must be one of 0, 1, false, no, off, true, yes, on, auto; it is ignored',
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

  it('that cannot be used are a warning, but a gateway that cannot is an error', () => {
    const severities = (env: Record<string, string>): string[] =>
      environmentLayers(env, {}, true).problems.map(({ severity }) => severity);
    assert.deepEqual(severities({ DELEGATE_MAX_NUDGES: 'x', DELEGATE_RUN_BASH: '?' }), [
      'warning',
      'warning',
    ]);
    assert.deepEqual(severities({ DELEGATE_GATEWAY: 'kong' }), ['error']);
  });

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
        DELEGATE_CONCURRENCY_QWEN_3_8: '5',
        DELEGATE_CONCURRENCY_GLM_CODING_PLAN: '6',
      },
      { pools: { 'glm-': { slots: 9 }, 'qwen-3_': { slots: 9 } } },
    );
    assert.deepEqual(value.pools, {
      'glm-': { slots: 1 },
      'qwen-3_': { slots: 3 },
      default: { slots: 2 },
      'new-one': { slots: 4 },
      'qwen-3-8': { slots: 5 },
      'glm-coding-plan': { slots: 6 },
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
      'http://b/litellm/',
      'http://b/litellm/v1/messages',
      'http://b/litellm/v1/messages/',
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
    // A request that concerns no model needs a key all the same.
    const some = { api_key: { 'local-a': 'exact', 'local-*': 'glob' } };
    assert.deepEqual(
      ['local-a', 'local-b', 'other', null].map((model) => endpointKey(some, model)),
      ['exact', 'glob', '', 'glob'],
    );
    assert.equal(endpointKey({ api_key: { 'local-a': 'exact' } }, null), 'exact');
    assert.equal(endpointKey({ api_key: {} }, null), '');
  });

  const facts: [env: Record<string, string>, file: ModelsFile['models'], expected: unknown][] = [
    [{ DELEGATE_PROMPT_CACHING: '0' }, undefined, { '*': { prompt_cache: 'none' } }],
    [{ DELEGATE_PROMPT_CACHING: 'False' }, undefined, { '*': { prompt_cache: 'none' } }],
    [{ DELEGATE_PROMPT_CACHING: '1' }, undefined, undefined],
    [{ DELEGATE_RESEND_REASONING: 'auto' }, undefined, undefined],
    [{ DELEGATE_RESEND_REASONING: '1' }, undefined, { '*': { resend_reasoning: true } }],
    [
      { DELEGATE_RESEND_REASONING: '0' },
      { 'deepseek-*': { resend_reasoning: true }, 'glm-*': { max_tokens: 9 } },
      {
        '*': { resend_reasoning: false },
        'deepseek-*': { resend_reasoning: false },
        'glm-*': { max_tokens: 9 },
      },
    ],
  ];
  for (const [env, file, expected] of facts) {
    it(`say it of every model, whatever the file says: ${JSON.stringify(env)}`, () => {
      const { value, problems } = load(env, file === undefined ? {} : { models: file });
      assert.deepEqual(problems, []);
      assert.deepEqual({ ...value.models }, expected ?? {});
    });
  }

  it('of the tool that came before are all known: set, or named as ignored with the reason', () => {
    const uses = describeVariables(Object.fromEntries(REFERENCE.map((name) => [name, '1'])));
    assert.deepEqual(
      uses.filter(({ use, text }) => use === 'unknown' || text === ''),
      [],
    );
    assert.equal(uses.length, REFERENCE.length);
  });

  it('of the gateway that is not in use are named as ignored', () => {
    const ignored = (env: Record<string, string>): string[] =>
      describeVariables({ ...env, DELEGATE_LOCAL_URL: 'x', DELEGATE_BIFROST_VK_CODE: 'x' })
        .filter(({ use }) => use === 'ignored')
        .map(({ name }) => name);
    assert.deepEqual(ignored({}), ['DELEGATE_BIFROST_VK_CODE']);
    assert.deepEqual(ignored({ DELEGATE_GATEWAY: 'Bifrost' }), ['DELEGATE_LOCAL_URL']);
  });

  it('never break anything: each value is used, or reported by the name of its variable', () => {
    const names = fc.constantFrom(
      ...Object.keys(MAPPED_VARIABLES),
      ...Object.keys(FACT_VARIABLES),
      'DELEGATE_LOCAL_URL',
      'DELEGATE_GATEWAY',
      'DELEGATE_BIFROST_URL',
      'DELEGATE_CONCURRENCY_X',
      'DELEGATE_CONCURRENCY_',
      'DELEGATE_CONCURRENCY_CONSTRUCTOR',
    );
    const values = fc.oneof(
      fc.constantFrom(
        '0',
        '-1',
        '1e9',
        '99999999999999999999',
        'NaN',
        'Infinity',
        'yes',
        'http://',
      ),
      fc.string(),
      fc.double().map(String),
    );
    fc.assert(
      fc.property(fc.dictionary(names, values, { maxKeys: 5 }), (env) => {
        const { value, origins, problems } = load(env);
        effectiveConfig(value, []);
        for (const [name, text] of Object.entries(env)) {
          if (!Object.hasOwn(MAPPED_VARIABLES, name) || text.trim() === '') continue;
          const isUsed = [...origins.values()].includes(`$${name}`);
          const isReported = problems.some((problem) => problem.startsWith(`$${name}: `));
          assert.notEqual(isUsed, isReported, name);
        }
      }),
    );
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
        ['DELEGATE_CONCURRENCY_GLM', 'sets', 'pools.glm-.slots'],
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

/** Every variable that delegate-local reads. */
const REFERENCE: readonly string[] = `
  LOCAL_URL LOCAL_KEY LOCAL_MODEL LOCAL_CODING_MODEL LOCAL_AGENTS_DIR LOCAL_MAX_TURNS CLOUD_MAX_TURNS TURN_TIMEOUT
  DISPATCH_TIMEOUT MAX_NUDGES PROMPT_CACHING RESEND_REASONING KEEP_TOOL_RESULTS CONCURRENCY_DEFAULT CONCURRENCY_GLM
  MAX_READ_FILE_BYTES MAX_WRITE_BYTES ALLOW_PATH_ESCAPE RUN_BASH RUN_BASH_TIMEOUT RUN_BASH_CONCURRENCY BATCH_QUEUE_GRACE
  BATCH_TASK_TIMEOUT MAX_BATCH_SIZE ENV_PASSTHROUGH CROSS_PROCESS_SLOTS SLOT_DIR SLOT_POLL STREAMING
  PROVIDER_ALLOWED_HOSTS CODEX_BIN CODEX_MODEL CODEX_ALLOW_DANGER CODEX_STDOUT_CAP FAILOVER_GRACE GATEWAY BIFROST_URL
  BIFROST_VK_LOCAL BIFROST_VK_CODE LOG CODEX_EFFORT CODEX_STATE_DIR CODEX_SESSIONS_DIR CODEX_JOBS_FILE
  CODEX_MAX_CONCURRENT CODEX_MAX_PER_PROJECT CODEX_MAX_QUEUE CODEX_STAGGER_S CODEX_QUOTA_WARN CODEX_QUOTA_REFUSE_PCT
  AGY_BIN GEMINI_ALLOW_DANGER GEMINI_MAX_CONCURRENT GEMINI_MAX_QUEUE GEMINI_STATE_DIR DSH_LAUNCHER DSH_STATE_DIR
  DSH_MAX_CONCURRENT DSH_MAX_PER_PROJECT DSH_MAX_QUEUE DSH_STAGGER_S DSH_MODELS_FILE WAIT_INTERVAL TEST_ISOLATION
  TEST_ISOLATION_ROOT`
  .trim()
  .split(/\s+/)
  .map((name) => `DELEGATE_${name}`);
