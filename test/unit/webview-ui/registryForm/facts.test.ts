import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { formatPath, parsePath } from '../../../../src/config/configPath.ts';
import { formFields } from '../../../../src/languageServer/form/formFields.ts';
import { type FormProblem, MASKED } from '../../../../src/protocol/modelsLanguage/formState.ts';
import type { LiveFacts } from '../../../../src/protocol/modelsLanguage/liveFacts.ts';
import { dependents } from '../../../../webview-ui/registryForm/facts/dependents.ts';
import { endpointFace } from '../../../../webview-ui/registryForm/facts/endpointFace.ts';
import { foundFacts } from '../../../../webview-ui/registryForm/facts/foundFacts.ts';
import { keyChoice, whyNoReference } from '../../../../webview-ui/registryForm/facts/keyChoice.ts';
import { knownModels, servedAt } from '../../../../webview-ui/registryForm/facts/knownModels.ts';
import { liveAge } from '../../../../webview-ui/registryForm/facts/liveAge.ts';
import { countWords } from '../../../../webview-ui/registryForm/facts/countWords.ts';
import { placeOf, ProblemPlaces } from '../../../../webview-ui/registryForm/facts/problemPlaces.ts';
import { secretUses } from '../../../../webview-ui/registryForm/facts/secretUses.ts';

type Endpoint = LiveFacts['endpoints'][number];

const AT = '2026-11-30T12:00:00.000Z';
const NOW_MS = Date.parse(AT);

function endpoint(name: string, models: readonly string[], rest: Partial<Endpoint> = {}): Endpoint {
  return {
    ...{ name, base_url: `http://${name}:1`, locality: 'local', in_use: 0, max_concurrent: 2 },
    probe: {
      ...{ state: 'up', why: null, message: null, hint: '', backend: 'vllm', lists_models: true },
      ...{ slots: null, load: null, latency_ms: 3, warnings: [] },
      models: models.map((id) => ({
        ...{ id, context: 131_072, context_source: null, warning: null, loaded: null },
        ...{ claims_tools: null, remote_host: null },
      })),
    },
    ...rest,
  };
}

function live(...endpoints: Endpoint[]): LiveFacts {
  return { asked_at: AT, trouble: '', endpoints, pools: [], secrets: [] };
}

describe('how old live facts are', () => {
  const rows: readonly [
    asked: string | null,
    trouble: string,
    isAsking: boolean,
    ageS: number,
    isLive: boolean,
    words: string,
  ][] = [
    [AT, '', false, 12, true, 'Asked 12 s ago.'],
    [AT, '', false, 60, true, 'Asked 1 min ago.'],
    [AT, '', false, 61, false, 'Last asked 1 min ago.'],
    [AT, '', false, 7300, false, 'Last asked 2 h ago.'],
    [AT, '', false, -5, true, 'Asked 0 s ago.'],
    [AT, '', true, 12, true, 'Asking the endpoints… Asked 12 s ago.'],
    [AT, 'The server is gone.', false, 5, false, 'The server is gone. Last asked 5 s ago.'],
    [null, '', false, 0, false, 'The endpoints were not asked yet.'],
    [null, 'No answer', false, 0, false, 'No answer. The endpoints were not asked yet.'],
    [null, '', true, 0, false, 'Asking the endpoints…'],
  ];
  for (const [askedAt, trouble, isAsking, ageS, isLive, words] of rows)
    it(words, () =>
      assert.deepEqual(liveAge({ asked_at: askedAt, trouble }, isAsking, NOW_MS + ageS * 1000), {
        isLive,
        words,
      }),
    );
});

describe('how an endpoint stands', () => {
  const words = (...args: Parameters<typeof endpointFace>): string => {
    const { word, parts } = endpointFace(...args);
    return [word, ...parts].join(' · ');
  };

  it('is said with what it serves', () => {
    const one = live(endpoint('a', ['qwen']));
    assert.equal(
      words('a', 'http://a:1', one, true),
      'up · vLLM · qwen · 131k · 0/2 in use · local',
    );
    const many = live(endpoint('a', ['x', 'y'], { locality: 'unknown', max_concurrent: null }));
    assert.equal(
      words('a', 'http://a:1/', many, true),
      'up · vLLM · 2 models · 0 in use · place unknown',
    );
  });

  it('is down with the reason', () => {
    const { probe } = endpoint('a', []);
    const down = live(
      endpoint('a', [], { probe: { ...probe, state: 'down', message: 'refused' } }),
    );
    assert.equal(words('a', 'http://a:1', down, true), 'down · refused');
  });

  it('is never shown as live when it is not', () => {
    const one = live(endpoint('a', ['qwen']));
    assert.equal(words('a', 'http://a:1', one, false), 'was up · vLLM · qwen');
    assert.equal(endpointFace('a', 'http://a:1', one, false).tone, 'quiet');
    assert.equal(words('a', 'http://b:1', one, true), 'unknown · not asked at this address');
    assert.equal(words('a', undefined, one, true), 'unknown · not asked at this address');
    assert.equal(words('b', 'http://b:1', one, true), 'unknown · not asked yet');
    assert.equal(
      words('a', 'http://a:1', { ...one, asked_at: null }, true),
      'unknown · not asked yet',
    );
  });
});

describe('where a problem is shown', () => {
  const root = formFields();
  const values = {
    endpoints: {
      tower: { base_url: 1, colour: 'red', tls: { insecure: 'x' }, api_key: { a: 'b' } },
    },
    failover: { chains: { glm: ['a', 'b'] }, pinned: ['x'] },
    nonsense: 1,
    defaults: 'text',
  };
  const rows: readonly [path: string, place: string][] = [
    ['', ''],
    ['endpoints', 'endpoints'],
    ['endpoints.tower', 'endpoints.tower'],
    ['endpoints.gone', 'endpoints'],
    ['endpoints.tower.base_url', 'endpoints.tower.base_url'],
    ['endpoints.tower.host', 'endpoints.tower.host'],
    ['endpoints.tower.colour', 'endpoints.tower.colour'],
    ['endpoints.tower.color', 'endpoints.tower'],
    ['endpoints.tower.tls.insecure', 'endpoints.tower.tls.insecure'],
    ['endpoints.tower.api_key.a', 'endpoints.tower.api_key'],
    ['failover.chains.glm[1]', 'failover.chains.glm[1]'],
    ['failover.chains.glm[7]', 'failover.chains.glm'],
    ['failover.chains.gone[0]', 'failover.chains'],
    ['failover.pinned[0]', 'failover.pinned'],
    ['nonsense', 'nonsense'],
    ['nothing.at.all', ''],
    ['defaults.timeout_s', 'defaults.timeout_s'],
  ];
  for (const [path, place] of rows)
    it(`${path || 'the file'}: ${place || 'the file'}`, () =>
      assert.equal(formatPath(placeOf(root, values, parsePath(path) ?? ['?'])), place));

  it('is counted there and in all that is around it', () => {
    const problem = (path: string, severity: 'error' | 'warning'): FormProblem => ({
      ...{ path: [...(parsePath(path) ?? [])], severity, code: 'c', message: 'm' },
      ...{ suggestion: null, line: 1, column: 1, fixes: [] },
    });
    const places = new ProblemPlaces(root, values, [
      problem('endpoints.tower.base_url', 'error'),
      problem('endpoints.tower.color', 'warning'),
      problem('failover.chains.glm[1]', 'warning'),
    ]);
    assert.equal(countWords(places.under([])), '1 error, 2 warnings');
    assert.equal(countWords(places.under(['endpoints'])), '1 error, 1 warning');
    assert.equal(countWords(places.under(['pools'])), '');
    assert.deepEqual(
      places.at(['endpoints', 'tower']).map(({ index }) => index),
      [1],
    );
    assert.equal(places.at(['endpoints', 'tower', 'base_url']).length, 1);
  });
});

describe('the key of a server', () => {
  const rows: readonly [value: unknown, choice: unknown][] = [
    [undefined, { kind: 'none' }],
    ['', { kind: 'none' }],
    ['${env:A_B}', { kind: 'env', name: 'A_B' }],
    ['${secret:zai}', { kind: 'secret', name: 'zai' }],
    [MASKED, { kind: 'literal' }],
    [7, { kind: 'literal' }],
    [{ 'glm-*': '${env:A}' }, { kind: 'byModel', keys: { 'glm-*': '${env:A}' } }],
    ['Bearer ${env:A}', { kind: 'other', text: 'Bearer ${env:A}' }],
  ];
  for (const [value, choice] of rows)
    it(`${JSON.stringify(value)} is ${JSON.stringify(choice)}`, () =>
      assert.deepEqual(keyChoice(value), choice));

  it('is never a key that is typed', () => {
    assert.equal(whyNoReference(' ${secret:a} '), null);
    for (const text of ['sk-123', '', '$secret:a', 'x${env:A}'])
      assert.match(whyNoReference(text) ?? '', /does not belong in the file/);
  });
});

describe('what refers to what', () => {
  const values = {
    defaults: { model: 'qwen*' },
    endpoints: {
      a: { api_key: '${secret:k}', headers: { x: 'Bearer ${secret:k}${secret:l}' } },
      b: { api_key: { 'glm-*': '${secret:l}' } },
    },
    pools: { 'glm-': {}, default: {} },
    failover: { chains: { glm: ['qwen3', 7, 'other'] } },
    fleet: { planner: { endpoint: 'a' }, other: { endpoint: 'b' } },
  };

  it('is found for secrets', () =>
    assert.deepEqual(
      [...secretUses(values)],
      [
        ['k', ['endpoints.a.api_key', 'endpoints.a.headers.x']],
        ['l', ['endpoints.a.headers.x', 'endpoints.b.api_key["glm-*"]']],
      ],
    ));

  it('is said before an endpoint goes', () => {
    const inherited = { fleet: { elder: { endpoint: 'a' } } };
    const facts = live(endpoint('a', ['qwen3', 'both']), endpoint('b', ['both']));
    assert.deepEqual(dependents('a', values, inherited, facts), [
      'the role elder of the fleet runs on it',
      'the role planner of the fleet runs on it',
      'the default model qwen* is served nowhere else',
      'the chain of glm names qwen3, which is served nowhere else',
    ]);
    assert.deepEqual(dependents('b', { ...values, fleet: {} }, {}, facts), []);
  });

  it('is offered for chains: what is served, then what the file names', () => {
    const facts = live(endpoint('a', ['z', 'y']));
    assert.deepEqual(knownModels(values, facts), ['y', 'z', 'glm', 'other', 'qwen3', 'glm-']);
    assert.deepEqual(servedAt('y', facts), ['a']);
    assert.equal(servedAt('y', { ...facts, asked_at: null }), null);
  });
});

describe('what was found at an address', () => {
  it('says what is not known', () => {
    const { probe } = endpoint('a', []);
    const facts = foundFacts({
      ...{ baseUrl: 'http://a:1', suggestedName: 'a', registeredAs: null, locality: 'unknown' },
      ...{ placeWarning: null, probe: { ...probe, backend: 'other', lists_models: false } },
      ...{ formats: [], tools: null, entry: {} },
    });
    assert.deepEqual(Object.fromEntries(facts), {
      ...{ kind: 'not recognised', models: 'it does not list them', slots: 'not reported' },
      ...{ format: 'not known', tools: 'not tried', place: 'place unknown' },
    });
  });
});
