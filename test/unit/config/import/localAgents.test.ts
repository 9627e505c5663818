import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LiteralKeys } from '../../../../src/config/import/literalKeys.ts';
import { localAgents } from '../../../../src/config/import/localAgents.ts';
import type { ModelsFile } from '../../../../src/config/schema.ts';

const KEY = 'sk-known-and-hushed';

/** As the example file of localagents has it, with the habits of people. */
const FILE = `# my servers
endpoints:
  llamacpp:
    base_url: http://127.0.0.1:8080/
    backend: llama.cpp
    host: tower
    notes: the big one
  dgx1:
    base_url: http://dgx1:8000/v1
    backend: vLLM
    env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: "32000" }
defaults:
  model: "*Qwen3.8*"
  permission_mode: acceptEdits
  allowed_tools: [Read, Edit, Write, Glob, Grep, Bash, WebFetch]
  max_turns: 80
  timeout_s: 1800
  probe_timeout_s: 4
  system_prompt_append: |
    You are a delegated sub-agent.
    Be brief.
  dump_requests: false
`;

describe('localAgents', () => {
  const read = (text: string) => localAgents(text, new LiteralKeys());

  it('takes over what is not the default anyway, in its order', () => {
    const { file, notes } = read(FILE);
    assert.deepEqual(file, {
      defaults: {
        model: '*Qwen3.8*',
        max_turns: 80,
        probe_timeout_s: 4,
        system_prompt_append: 'You are a delegated sub-agent.\nBe brief.\n',
      },
      endpoints: {
        llamacpp: {
          base_url: 'http://127.0.0.1:8080',
          backend: 'llama.cpp',
          host: 'tower',
          notes: 'the big one',
        },
        dgx1: {
          base_url: 'http://dgx1:8000',
          backend: 'vllm',
          env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '32000' },
        },
      },
    } satisfies ModelsFile);
    assert.deepEqual(Object.keys(file.endpoints ?? {}), ['llamacpp', 'dgx1']);
    assert.deepEqual(notes, [
      'endpoints.dgx1.backend is written as "vllm" here.',
      'The address of "dgx1" is written without /v1, which is added by itself.',
    ]);
  });

  const NOTES: readonly [what: string, text: string, note: RegExp][] = [
    [
      'an unknown key',
      'endpoints: { a: { base_url: "http://a", colour: red } }',
      /^endpoints\.a\.colour was left out: there is no such key here\.$/,
    ],
    [
      'a misspelt key',
      'endpoints: { a: { base_url: "http://a", bakend: vllm } }',
      /"backend" is one/,
    ],
    [
      'an entry without an address',
      'endpoints: { a: }',
      /^The endpoint "a" was left out: it has no address\.$/,
    ],
    [
      'a value that cannot be',
      'defaults: { max_turns: many }',
      /^defaults\.max_turns was left out: its value cannot be used\.$/,
    ],
    [
      'a name that cannot be',
      'endpoints: { "a b": { base_url: "http://a" } }',
      /was left out: its name cannot be used\.$/,
    ],
    [
      'the old list',
      'models: [{ name: q, endpoint: "http://h:1" }]',
      /^The list of models was left out/,
    ],
  ];
  for (const [what, text, note] of NOTES)
    it(`says so of ${what}`, () => {
      const { notes } = read(text);
      assert.ok(
        notes.some((each) => note.test(each)),
        notes.join('\n'),
      );
    });

  it('makes endpoints and facts of the pool of models that 0.1.0 had', () => {
    const { file, notes } = read(`
models:
  qwen: { served_name: Qwen/Qwen3.8, endpoint: "http://h:8080", host: tower, context: 131072, bring_up: run.sh }
  same: { endpoint: "http://h:8080" }
  "12": { endpoint: "http://h:9090/v1" }
`);
    assert.deepEqual(file, {
      endpoints: {
        qwen: { base_url: 'http://h:8080', host: 'tower' },
        'endpoint-12': { base_url: 'http://h:9090' },
      },
      models: { 'Qwen/Qwen3.8': { context_window: 131_072 } },
    });
    assert.ok(notes.includes('bring_up of the model "qwen" has no place here.'), notes.join('\n'));
  });

  it('refers to a key that stands in the file, and says where it stood', () => {
    const literals = new LiteralKeys((name) => (name === 'b-api-key' ? 'another' : null));
    const { file, notes } = localAgents(
      `endpoints:
  a: { base_url: http://a, api_key: ${KEY} }
  b: { base_url: "http://me:${KEY}@b", env: { ANTHROPIC_AUTH_TOKEN: ${KEY}-2, PLAIN: x } }
`,
      literals,
    );
    assert.deepEqual(file.endpoints, {
      a: { base_url: 'http://a', api_key: '${secret:a}' },
      b: {
        base_url: 'http://b',
        env: { ANTHROPIC_AUTH_TOKEN: '${secret:b-anthropic_auth_token}', PLAIN: 'x' },
      },
    });
    assert.deepEqual(literals.list(), [
      { name: 'a', source: 'endpoints.a.api_key', isKept: false },
      {
        name: 'b-anthropic_auth_token',
        source: 'endpoints.b.env.ANTHROPIC_AUTH_TOKEN',
        isKept: false,
      },
    ]);
    assert.equal(literals.valueOf('a'), KEY);
    assert.ok(!JSON.stringify([file, notes, literals]).includes(KEY));
    assert.ok(notes.some((note) => note.includes('held a login')));
  });

  it('refuses what is no YAML with the line and without its text', () => {
    for (const text of [`endpoints:\n  a: [${KEY}`, `a: 1\na: 2`, '- x', `\t${KEY}: x`])
      assert.throws(
        () => read(text),
        (error: Error) => !error.message.includes(KEY) && error.name === 'BridgeError',
      );
  });

  it('takes over an empty file as nothing', () => {
    assert.deepEqual(read('# nothing\n').file, {});
    assert.deepEqual(read('endpoints:\ndefaults:\n').file, {});
  });
});
