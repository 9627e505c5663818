import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkConfig } from '../../../src/config/check.ts';
import { checkServed } from '../../../src/config/checkServed.ts';
import { formatPath } from '../../../src/config/configPath.ts';
import { effectiveConfig } from '../../../src/config/effectiveConfig.ts';
import { parseModelsText } from '../../../src/config/parse.ts';

/** Severity, code, path and suggestion of every finding but "not active". */
function found(text: string): string[] {
  const { value, problems } = parseModelsText(text, 'f');
  assert.ok(value, JSON.stringify(problems));
  return checkConfig(value)
    .filter(({ code }) => code !== 'not_active')
    .map(
      ({ severity, code, path, suggestion }) =>
        `${severity} ${code} ${formatPath(path)}${suggestion === null ? '' : ` -> ${suggestion}`}`,
    );
}
const chain = (text: string, rest = '') =>
  `failover: { chains: { ${text} } }\nmodels: { "*": {} }\n${rest}`;
const endpoint = (text: string) => `endpoints: { a: { base_url: http://h, ${text} } }`;

describe('checkConfig', () => {
  const table: [name: string, text: string, findings: string[]][] = [
    ['nothing wrong', 'endpoints: { a: { base_url: http://h, api_key: "${secret:a}" } }', []],
    ['no address', 'endpoints: { a: { notes: n } }', ['error missing_key endpoints.a']],
    ['no command', 'gates: { t: { kind: tests } }', ['error missing_key gates.t']],
    [
      'address ends in /v1',
      'endpoints: { a: { base_url: http://h/v1 } }',
      ['warning base_url_path endpoints.a.base_url -> http://h'],
    ],
    [
      'address ends in /v1/messages',
      'endpoints: { a: { base_url: http://h/api/v1/messages } }',
      ['warning base_url_path endpoints.a.base_url -> http://h/api'],
    ],
    ['address with v1 in a word', 'endpoints: { a: { base_url: http://h/v1beta } }', []],
    [
      'same address and key',
      'endpoints: { a: { base_url: http://h }, b: { base_url: http://H:80/ } }',
      ['error same_endpoint endpoints.b.base_url'],
    ],
    [
      'same address, other key',
      'endpoints: { a: { base_url: http://h, api_key: "${env:A}" }, b: { base_url: http://h, api_key: "${env:B}" } }',
      [],
    ],
    [
      'public and called local',
      'endpoints: { a: { base_url: http://8.8.8.8, locality: local } }',
      ['warning public_address endpoints.a.locality'],
    ],
    [
      'public IPv6 and called lan',
      'endpoints: { a: { base_url: "http://[2606:4700::1]:80", locality: lan } }',
      ['warning public_address endpoints.a.locality'],
    ],
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '[::1]',
      '[fd00::1]',
      '[fe80::1]',
      'box.lan',
    ].map((host): [string, string, string[]] => [
      `${host} called local`,
      `endpoints: { a: { base_url: "http://${host}", locality: local } }`,
      [],
    ]),
    [
      'literal key',
      endpoint('api_key: sk-123'),
      ['warning literal_secret endpoints.a.api_key -> ${secret:a}'],
    ],
    [
      'literal key by model',
      endpoint('api_key: { "l-*": sk-1 }'),
      ['warning literal_secret endpoints.a.api_key["l-*"] -> ${secret:a-l--}'],
    ],
    [
      'literal key in a header',
      endpoint('headers: { Authorization: Bearer x1 }'),
      ['warning literal_secret endpoints.a.headers.Authorization -> ${secret:a-authorization}'],
    ],
    [
      'reference in a header',
      endpoint('headers: { Authorization: "Bearer ${env:T}", X-Title: hello }'),
      [],
    ],
    [
      'literal key in env',
      endpoint('env: { MY_API_KEY: x1, PATH_TO: y }'),
      ['warning literal_secret endpoints.a.env.MY_API_KEY -> ${secret:a-my_api_key}'],
    ],
    [
      'password in the address',
      'endpoints: { a: { base_url: "http://u:p@h" } }',
      [
        'error base_url_password endpoints.a.base_url -> put it in api_key or headers, as ${secret:name}',
        'warning literal_secret endpoints.a.base_url -> ${secret:a}',
      ],
    ],
    [
      'password of a proxy',
      endpoint('proxy: "http://u:p@proxy"'),
      ['warning literal_secret endpoints.a.proxy -> ${secret:a-proxy}'],
    ],
    ['placeholder key', endpoint('api_key: EMPTY'), []],
    [
      'reference half literal',
      endpoint('api_key: "sk-${env:A}"'),
      ['warning literal_secret endpoints.a.api_key -> ${secret:a}'],
    ],
    [
      'reference as a shell has it',
      endpoint('api_key: "${KEY}"'),
      ['error bad_reference endpoints.a.api_key -> ${env:KEY}'],
    ],
    [
      'reference of another kind',
      endpoint('api_key: "${vault:key}"'),
      ['error bad_reference endpoints.a.api_key'],
    ],
    [
      'reference without end',
      endpoint('proxy: "${env:A"'),
      ['error bad_reference endpoints.a.proxy'],
    ],
    [
      'literal token',
      'router: { token: abc }',
      ['warning literal_secret router.token -> ${secret:router}'],
    ],
    ['chain that works', chain('a: [b]', 'pools: { a: { slots: 1 } }'), []],
    [
      'chain of unknown names',
      'failover: { chains: { a: [b] } }\npools: { a: { slots: 1 } }',
      ['warning unknown_model failover.chains.a[0]'],
    ],
    [
      'chain for an unknown name',
      'failover: { chains: { a: [b] } }\npools: { b: { slots: 1 } }',
      ['warning unknown_model failover.chains.a'],
    ],
    [
      'chain that repeats',
      chain('a: [b, b]', 'pools: { a: { slots: 1 } }'),
      ['error chain_repeat failover.chains.a[1]'],
    ],
    ['chain with itself', chain('a: [a]'), ['error chain_self failover.chains.a[0]']],
    [
      'chain to pinned',
      chain('a: [local-x]', 'pools: { a: { slots: 1 } }'),
      ['error chain_pinned failover.chains.a[0]'],
    ],
    [
      'chain from pinned',
      chain('GPT-5: [b]', 'pools: { b: { slots: 1 } }'),
      ['error chain_pinned failover.chains.GPT-5[0]'],
    ],
    [
      'chain in one pool',
      chain('glm-a: [glm-b]', 'pools: { glm-: { slots: 1 } }'),
      ['error chain_pool failover.chains.glm-a[0]'],
    ],
    ['chain in the default pool', chain('a: [b]'), ['warning chain_pool failover.chains.a[0]']],
    [
      'chain from flat to metered',
      'failover: { chains: { a: [b] } }\npools: { a: { slots: 1 } }\nmodels: { a: { billing: flat }, b: { billing: metered } }',
      ['warning chain_billing failover.chains.a[0]'],
    ],
    [
      'name like Claude',
      'defaults: { model: CLAUDE-x }\nendpoints: { a: { base_url: http://h } }',
      ['error anthropic_name defaults.model'],
    ],
    [
      'name like Anthropic',
      chain('xa: [anthropic/b]', 'pools: { x: { slots: 1 } }'),
      ['error anthropic_name failover.chains.xa[0]'],
    ],
    [
      'fact about a name like Claude',
      'models: { claude-x: { billing: flat } }',
      ['warning anthropic_name models.claude-x'],
    ],
    [
      'name of Claude with an endpoint of theirs',
      'defaults: { model: claude-x }\nendpoints: { a: { base_url: http://h, backend: anthropic } }',
      [],
    ],
    [
      'small window',
      'models: { a: { context_window: 32768 } }',
      ['warning small_window models.a.context_window'],
    ],
    [
      'small window with another runner',
      'models: { a: { context_window: 32768 } }\ndefaults: { runner: loop }',
      [],
    ],
    ['window large enough', 'models: { a: { context_window: 128000 } }', []],
  ];
  for (const [name, text, findings] of table)
    it(name, () => assert.deepEqual(found(text), findings));

  it('never repeats a key that stands in the file', () => {
    const { parts } = parseModelsText(
      endpoint('api_key: sk-hush, headers: { X-Key: sk-hush }, proxy: "http://u:sk-hush@p"'),
      'f',
    );
    assert.equal(checkConfig(parts).length, 3);
    assert.doesNotMatch(JSON.stringify(checkConfig(parts)), /hush/);
  });

  const inactive: [text: string, paths: string[]][] = [
    ['failover: { grace_s: 1 }', []],
    [
      'runners: { claude-code: { bin: c }, loop: {}, codex: {}, gemini: {}, dsh: {} }',
      ['runners.codex', 'runners.gemini', 'runners.dsh'],
    ],
    ['fleet: { planner: {} }', ['fleet']],
    ['router: {}', ['router']],
    ['ledger: {}', ['ledger']],
    ['secrets: keychain', []],
    ['secrets: file', []],
    ['defaults: { runner: loop }', []],
    [
      'models: { a: { format: openai, answers_as: [b], context_window: 200000, max_tokens: 1, max_tokens_cap: 2, resend_reasoning: true, prompt_cache: none, billing: flat } }',
      [],
    ],
    [
      'models: { a: { input_per_mtok: 1, priced_on: 2026-11-01 } }',
      ['models.a.input_per_mtok', 'models.a.priced_on'],
    ],
    [
      'pools: { a: { slots: 1 } }\nreview: { keep_rejected_days: 1 }\nworktrees: { setup: x }\nretention: { days: 1 }\ngates: { t: { run: x } }',
      [],
    ],
  ];
  for (const [text, paths] of inactive) {
    it(`says what has no effect yet: ${text.slice(0, 50)}`, () => {
      const findings = checkConfig(parseModelsText(text, 'f').parts).filter(
        ({ code }) => code === 'not_active',
      );
      assert.deepEqual(
        findings.map(({ path }) => formatPath(path)),
        paths,
      );
      assert.ok(
        findings.every(
          ({ severity, message }) => severity === 'warning' && message.startsWith('not active:'),
        ),
      );
    });
  }
});

describe('checkServed', () => {
  const { parts } = parseModelsText(endpoint('max_concurrent: 4'), 'f');
  const config = effectiveConfig(parts, []);
  const codes = (
    slots: number | null,
    models: { id: string; window: number | null }[],
    endpointName = 'a',
  ) => checkServed(config, [{ endpoint: endpointName, slots, models }]).map(({ code }) => code);
  it('compares with what the server reports', () => {
    assert.deepEqual(codes(2, []), ['too_many_slots']);
    assert.deepEqual(codes(4, []), []);
    assert.deepEqual(codes(null, [{ id: 'm', window: null }]), []);
    assert.deepEqual(codes(null, [{ id: 'm', window: 8192 }]), ['small_window']);
    assert.deepEqual(codes(null, [{ id: 'Claude-like', window: 200_000 }]), ['anthropic_name']);
    assert.deepEqual(codes(1, [{ id: 'claude', window: 1 }], 'gone'), []);
  });
});
