import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { liveFactsSchema } from '../../../../src/protocol/modelsLanguage/liveFacts.ts';
import type { ModelsOverview } from '../../../../src/protocol/ui/uiTools.ts';
import type { LoadState } from '../../../../src/host/jobs/loadState.ts';
import {
  LiveFactsSource,
  type LiveFactsSourceOptions,
} from '../../../../src/host/modelsLanguage/liveFactsSource.ts';

const NOW_MS = Date.parse('2026-11-30T12:00:00Z');

const OVERVIEW = {
  isProbed: true,
  endpoints: [
    {
      ...{ name: 'tower', baseUrl: 'http://127.0.0.1:8080', host: '', notes: '' },
      ...{ locality: 'local', maxConcurrent: 4, inUse: 1 },
      probe: {
        ...{ state: 'up', why: null, message: null, hint: '', backend: 'llama.cpp' },
        models: [
          {
            ...{ id: 'qwen', context: 131072, contextSource: 'props', warning: null },
            ...{ loaded: true, claimsTools: null, remoteHost: null },
          },
        ],
        ...{ listsModels: true, slots: { total: 4, busy: 0 }, load: null, latencyMs: 3 },
        warnings: [],
      },
    },
  ],
  pools: [{ name: 'default', slots: 4, inUse: 1, waiting: [] }],
} as unknown as ModelsOverview;

function source(
  options: {
    readonly askedAgoMs?: number | null;
    readonly state?: LoadState;
    readonly isTrusted?: boolean;
    readonly refresh?: () => Promise<void>;
    readonly secrets?: () => Promise<unknown>;
    readonly overview?: ModelsOverview | null;
  } = {},
) {
  const asked: string[] = [];
  const warnings: string[] = [];
  const { askedAgoMs = 5000, overview = OVERVIEW } = options;
  const live = new LiveFactsSource({
    overview: {
      overview,
      state: options.state ?? { kind: 'ready' },
      askedAtMs: askedAgoMs === null ? null : NOW_MS - askedAgoMs,
      refresh: async () => {
        asked.push('endpoints');
        await options.refresh?.();
      },
    },
    link: {
      call: ((name: string) => {
        asked.push(name);
        return options.secrets?.() ?? Promise.resolve({ names: ['key'], keptIn: 'file' });
      }) as unknown as LiveFactsSourceOptions['link']['call'],
    },
    log: { info: fail, error: fail, warn: (text) => warnings.push(text) },
    isTrusted: () => options.isTrusted ?? true,
    nowMs: () => NOW_MS,
    patienceMs: 30,
  });
  return { live, asked, warnings };
}

function fail(text: string): never {
  throw new Error(text);
}

describe('LiveFactsSource', () => {
  it('says what is known, on the wire as its schema has it, and asks nobody while that is fresh', async () => {
    const { live, asked } = source();
    const facts = await live.facts(10_000);
    assert.deepEqual(liveFactsSchema.parse(facts), facts);
    assert.equal(facts.asked_at, '2026-11-30T11:59:55.000Z');
    assert.equal(facts.trouble, '');
    assert.equal(facts.endpoints[0]?.max_concurrent, 4);
    assert.equal(facts.endpoints[0]?.probe.models[0]?.context_source, 'props');
    assert.deepEqual(facts.secrets, ['key']);
    assert.deepEqual(asked, ['secret_names']);
  });

  for (const [what, options] of [
    ['what is known is older', { askedAgoMs: 20_000 }],
    ['nobody has asked yet', { askedAgoMs: null }],
  ] as const) {
    it(`asks when ${what}`, async () => {
      const { live, asked } = source(options);
      await live.facts(10_000);
      assert.ok(asked.includes('endpoints'));
    });
  }

  it('does not ask again what has just failed, however often it is told of', async () => {
    const { live, asked } = source({
      askedAgoMs: null,
      overview: null,
      state: { kind: 'error', errorKind: 'server_unavailable', message: 'It is down.', hint: '' },
    });
    for (let n = 0; n < 3; n += 1) assert.equal((await live.facts(10_000)).trouble, 'It is down.');
    assert.deepEqual(
      asked.filter((each) => each === 'endpoints'),
      ['endpoints'],
    );
  });

  it('waits no longer than anybody would, says so, and keeps what is old with its time', async () => {
    const { live } = source({ askedAgoMs: 20_000, refresh: () => new Promise(() => undefined) });
    const facts = await live.facts(10_000);
    assert.equal(facts.trouble, 'The endpoints have not answered yet.');
    assert.equal(facts.asked_at, '2026-11-30T11:59:40.000Z');
  });

  it('says why there is nothing newer', async () => {
    const { live } = source({
      askedAgoMs: null,
      overview: null,
      state: { kind: 'error', errorKind: 'internal', message: 'It is broken.', hint: 'Mend it.' },
    });
    const facts = await live.facts(0);
    assert.deepEqual(
      [facts.asked_at, facts.trouble, facts.endpoints],
      [null, 'It is broken. Mend it.', []],
    );
  });

  it('asks nobody in Restricted Mode, for no name of a secret either', async () => {
    const { live, asked } = source({ isTrusted: false, askedAgoMs: null, overview: null });
    const facts = await live.facts(0);
    assert.match(facts.trouble, /Restricted Mode/);
    assert.equal(facts.secrets, null);
    assert.deepEqual(asked, []);
  });

  it('never rejects: names of secrets that cannot be had are not known', async () => {
    const { live, warnings } = source({
      secrets: () => Promise.reject(new BridgeError('config_invalid', 'The file is broken.')),
    });
    assert.equal((await live.facts(10_000)).secrets, null);
    assert.deepEqual(warnings, ['Names of secrets: The file is broken.']);
  });
});
