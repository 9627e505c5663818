import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { Who } from '../../../../src/host/delegate/delegation.ts';
import { describeModel, isWhoUp, whoRows } from '../../../../src/host/delegate/whoRows.ts';
import type { ModelsOverview } from '../../../../src/protocol/ui/uiTools.ts';

type Endpoint = ModelsOverview['endpoints'][number];
type Model = Endpoint['probe']['models'][number];

const model = (part: Partial<Model> = {}): Model => ({
  id: 'qwen3.8-27b',
  context: 131_072,
  contextSource: null,
  warning: null,
  loaded: null,
  claimsTools: true,
  remoteHost: null,
  ...part,
});
const endpoint = (
  part: Partial<Endpoint> = {},
  probe: Partial<Endpoint['probe']> = {},
): Endpoint => ({
  name: 'tower',
  baseUrl: 'http://127.0.0.1:8080',
  host: '',
  notes: '',
  locality: 'local',
  maxConcurrent: null,
  inUse: 0,
  probe: {
    state: 'up',
    why: null,
    message: null,
    hint: '',
    backend: 'llama.cpp',
    models: [model()],
    listsModels: true,
    slots: { total: 2, busy: 1 },
    load: null,
    latencyMs: 3,
    warnings: [],
    ...probe,
  },
  ...part,
});
const down = endpoint(
  { name: 'gpu-server' },
  {
    state: 'down',
    why: 'port_closed',
    message: 'gpu-server is up, nothing listens on :8000.',
    hint: 'Start the server.',
    models: [],
    slots: null,
  },
);
const overview = (endpoints: readonly Endpoint[], isConfigured = true): ModelsOverview => ({
  configFile: '/models.yaml',
  isConfigured,
  configured: endpoints.map(({ name }) => name),
  isProbed: true,
  untrusted: [],
  defaultModel: null,
  endpoints: [...endpoints],
  pools: [],
});
const POLICY: Who = { kind: 'policy' };
const QWEN: Who = { kind: 'model', endpoint: 'tower', model: 'qwen3.8-27b' };

describe('whoRows', () => {
  it('has the policy first, then what is served, then what is down with the reason', () => {
    const rows = whoRows(overview([down, endpoint()]), 'now qwen3.8-27b on tower', POLICY);
    assert.deepEqual(
      rows.map(({ label, description }) => [label, description]),
      [
        ['Let the policy decide', 'now qwen3.8-27b on tower'],
        ['tower · llama.cpp', undefined],
        ['qwen3.8-27b', 'tower · 131k · 1/2 slots busy · local'],
        ['Down', undefined],
        ['gpu-server', 'gpu-server is up, nothing listens on :8000.'],
      ],
    );
    assert.equal(rows.at(-1)?.detail, 'Start the server.');
  });

  it('never lets what is down be chosen', () => {
    for (const { act } of whoRows(overview([down]), '', { ...QWEN, endpoint: 'gpu-server' })) {
      assert.ok(act?.kind !== 'choose' || act.who.kind === 'policy');
    }
  });

  for (const [isConfigured, title] of [
    [true, 'Nothing answers'],
    [false, 'No endpoint is set up'],
  ] as const) {
    it(`offers a way out where ${title.toLowerCase()}`, () => {
      const rows = whoRows(overview([down], isConfigured), '', POLICY);
      assert.ok(rows.some(({ label }) => label === title));
      assert.deepEqual(
        rows.flatMap(({ act }) => (act?.kind === 'command' ? [act.command] : [])),
        ['findServers', 'registerEndpoint', 'startRehearsal'].map(
          (name) => `delegationBridge.${name}`,
        ),
      );
    });
  }

  it('offers the answer of the last time until it is known who is up', () => {
    const acts = (last: Who) => whoRows(null, '', last).map(({ act }) => act);
    assert.deepEqual(acts(QWEN).at(-1), { kind: 'choose', who: QWEN });
    assert.equal(acts(POLICY).length, 1);
  });

  it('offers an endpoint that lists no models as a whole', () => {
    const rows = whoRows(overview([endpoint({}, { models: [], listsModels: false })]), '', POLICY);
    assert.deepEqual(rows.at(-1)?.act, {
      kind: 'choose',
      who: { kind: 'model', endpoint: 'tower', model: null },
    });
  });

  it('shows nothing that a server says as an icon, nor control characters', () => {
    const evil = '$(error)\u001b[31m\u202e\nx';
    const bad = endpoint(
      { name: evil, notes: evil },
      { models: [model({ id: evil, warning: evil, remoteHost: evil })] },
    );
    const worse = endpoint({ name: evil }, { state: 'down', message: evil, hint: evil });
    for (const { label, description = '', detail = '' } of whoRows(
      overview([bad, worse]),
      '',
      POLICY,
    )) {
      // eslint-disable-next-line no-control-regex -- that is what must not be there
      assert.doesNotMatch(`${label}${description}${detail}`, /\$\(|[\u0000-\u001f\u202e]/);
    }
  });

  const described: [string, Endpoint, Model | null][] = [
    ['131k · 1/2 slots busy · local', endpoint(), model()],
    [
      'window unknown · LAN',
      endpoint({ locality: 'lan' }, { slots: null }),
      model({ context: null }),
    ],
    [
      '2/8 busy · cloud',
      endpoint({ locality: 'cloud', inUse: 2, maxConcurrent: 8 }, { slots: null }),
      null,
    ],
    [
      '131k · 1 job on it · place unknown · no tools',
      endpoint({ locality: 'unknown', inUse: 1 }, { slots: null }),
      model({ claimsTools: false }),
    ],
    [
      '131k · 1/2 slots busy · rented · not loaded yet · runs at ollama.test',
      endpoint({ locality: 'rented' }),
      model({ loaded: false, remoteHost: 'ollama.test' }),
    ],
  ];
  for (const [expected, on, of] of described)
    it(`describes ${expected}`, () => assert.equal(describeModel(on, of), expected));
});

describe('isWhoUp', () => {
  const cases: [string, Who, ModelsOverview | null, boolean | null][] = [
    ['the policy', POLICY, null, true],
    ['a model before the answer', QWEN, null, null],
    ['a model that is served', QWEN, overview([endpoint()]), true],
    ['a model that is served no more', { ...QWEN, model: 'old' }, overview([endpoint()]), false],
    ['an endpoint without a named model', { ...QWEN, model: null }, overview([endpoint()]), true],
    ['an endpoint that is down', { ...QWEN, endpoint: 'gpu-server' }, overview([down]), false],
    ['an endpoint that is gone', QWEN, overview([]), false],
  ];
  for (const [what, who, known, expected] of cases)
    it(`says ${String(expected)} of ${what}`, () => assert.equal(isWhoUp(who, known), expected));
});
