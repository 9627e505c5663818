import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Locality, Policy } from '../../../../src/protocol/job.ts';
import { route } from '../../../../src/bridge/routing/route.ts';
import type { RouteDecision } from '../../../../src/bridge/routing/routeDecision.ts';
import type {
  RouteEndpoint,
  RouteInput,
  RouteProbe,
} from '../../../../src/bridge/routing/routeInput.ts';

type Served = RouteProbe['models'][number];

function model(id: string, extra: Partial<Served> = {}): Served {
  return { id, loaded: true, claimsTools: null, remoteHost: null, ...extra };
}

function up(
  name: string,
  locality: Locality,
  models: readonly (string | Served)[],
  extra: Partial<RouteProbe> = {},
): RouteEndpoint {
  return {
    name,
    place: { locality, source: 'address' },
    toolCalls: {},
    probe: {
      state: 'up',
      message: null,
      backend: 'llama.cpp',
      listsModels: true,
      models: models.map((item) => (typeof item === 'string' ? model(item) : item)),
      ...extra,
    },
  };
}

function down(name: string, locality: Locality = 'local'): RouteEndpoint {
  const message = `${name} is up, but nothing listens on port 1.`;
  return up(name, locality, [], { state: 'down', message });
}

interface Call {
  readonly model?: string;
  readonly endpoint?: string;
  readonly policy?: Policy;
  readonly defaultModel?: string;
  readonly needsTools?: boolean;
  readonly isChainMember?: boolean;
}

function ask(endpoints: readonly RouteEndpoint[], call: Call = {}): RouteDecision {
  return route({
    request: {
      model: call.model ?? null,
      endpoint: call.endpoint ?? null,
      policy: call.policy ?? null,
      needsTools: call.needsTools ?? true,
      isChainMember: call.isChainMember ?? false,
    },
    defaults: { model: call.defaultModel ?? null, policy: 'prefer-local' },
    endpoints,
  });
}

function short(decision: RouteDecision): string {
  return decision.ok
    ? `${decision.rule}: ${decision.endpoint}/${decision.model} (${decision.locality})`
    : decision.error.kind;
}

const QWEN = 'unsloth/Qwen3.8-27B-GGUF';
const LOCAL = up('gpu', 'local', ['glm-4.7', QWEN]);
const LAN = up('tower', 'lan', ['qwen3.8-27b', 'glm-5']);
const CLOUD = up('vendor', 'cloud', ['big-1', 'glm-5']);
const RENTED = up('rented', 'rented', ['big-2']);
const UNKNOWN = up('gate', 'unknown', ['alias-a', 'glm-4.7']);

describe('route', () => {
  const table: readonly (readonly [what: string, readonly RouteEndpoint[], Call, string])[] = [
    ['nothing given: the first served', [LOCAL, LAN], {}, 'first-served: gpu/glm-4.7 (local)'],
    ['order is priority', [LAN, LOCAL], {}, 'first-served: tower/qwen3.8-27b (lan)'],
    [
      'what is down is passed over',
      [down('off'), LAN],
      {},
      'first-served: tower/qwen3.8-27b (lan)',
    ],
    ['near comes before unknown', [UNKNOWN, LOCAL], {}, 'first-served: gpu/glm-4.7 (local)'],
    [
      'unknown may serve when nothing is near',
      [UNKNOWN, CLOUD],
      {},
      'first-served: gate/alias-a (unknown)',
    ],
    ['rented may serve', [CLOUD, RENTED], {}, 'first-served: rented/big-2 (rented)'],
    ['cloud never by default', [CLOUD], {}, 'policy_refused'],
    [
      'cloud never by default, with policy any neither',
      [CLOUD],
      { policy: 'any' },
      'policy_refused',
    ],
    [
      'policy any goes by order',
      [UNKNOWN, LOCAL],
      { policy: 'any' },
      'first-served: gate/alias-a (unknown)',
    ],
    [
      'a loaded model before one that is not',
      [up('o', 'local', [model('a', { loaded: false }), 'b'])],
      {},
      'first-served: o/b (local)',
    ],
    [
      'one that is not loaded when there is no other',
      [up('o', 'local', [model('a', { loaded: false })])],
      {},
      'first-served: o/a (local)',
    ],

    [
      'exact anywhere beats fuzzy',
      [LOCAL, LAN],
      { model: 'qwen3.8-27b' },
      'model-exact: tower/qwen3.8-27b (lan)',
    ],
    [
      'fuzzy when there is no better',
      [LOCAL],
      { model: 'qwen3.8-27b' },
      `model-fuzzy: gpu/${QWEN} (local)`,
    ],
    [
      'glob beats fuzzy',
      [up('a', 'local', ['x-glm']), up('b', 'local', ['glm-5'])],
      { model: 'glm-?' },
      'model-glob: b/glm-5 (local)',
    ],
    ['a glob goes by order', [LOCAL, LAN], { model: 'glm-*' }, 'model-glob: gpu/glm-4.7 (local)'],
    ['no match', [LOCAL, LAN], { model: 'qwen3-coder' }, 'model_unavailable'],
    [
      'an exact id reaches the cloud',
      [LOCAL, CLOUD],
      { model: 'big-1' },
      'model-exact: vendor/big-1 (cloud)',
    ],
    ['a fuzzy name does not', [CLOUD], { model: 'Big.1' }, 'policy_refused'],
    ['a glob does not', [CLOUD], { model: 'big-*' }, 'policy_refused'],
    [
      'the same id near and in the cloud: near',
      [CLOUD, LAN],
      { model: 'glm-5' },
      'model-exact: tower/glm-5 (lan)',
    ],
    [
      '… with policy any: by order',
      [CLOUD, LAN],
      { model: 'glm-5', policy: 'any' },
      'model-exact: vendor/glm-5 (cloud)',
    ],

    [
      'the default model',
      [LOCAL, LAN],
      { defaultModel: 'glm-5' },
      'default-model: tower/glm-5 (lan)',
    ],
    [
      'the default model is not a name for the cloud',
      [CLOUD],
      { defaultModel: 'big-1' },
      'policy_refused',
    ],
    [
      'the default model is not replaced silently',
      [LOCAL],
      { defaultModel: 'other-1' },
      'model_unavailable',
    ],
    [
      'an empty default is none',
      [LOCAL],
      { defaultModel: '' },
      'first-served: gpu/glm-4.7 (local)',
    ],
    [
      'the call beats the default',
      [LOCAL, LAN],
      { defaultModel: 'glm-5', model: 'glm-4.7' },
      'model-exact: gpu/glm-4.7 (local)',
    ],

    [
      'endpoint and model',
      [LOCAL, LAN],
      { endpoint: 'tower', model: 'glm-5' },
      'endpoint-and-model: tower/glm-5 (lan)',
    ],
    [
      'endpoint and fuzzy model',
      [LOCAL, CLOUD],
      { endpoint: 'vendor', model: 'BIG.1' },
      'endpoint-and-model: vendor/big-1 (cloud)',
    ],
    [
      'endpoint only: its first',
      [LOCAL, LAN],
      { endpoint: 'tower' },
      'endpoint-first-model: tower/qwen3.8-27b (lan)',
    ],
    [
      'endpoint only: the default, when served there',
      [LOCAL, LAN],
      { endpoint: 'tower', defaultModel: 'glm-5' },
      'endpoint-default-model: tower/glm-5 (lan)',
    ],
    [
      'endpoint only: the default does not block',
      [LOCAL, LAN],
      { endpoint: 'tower', defaultModel: 'zzz-9' },
      'endpoint-first-model: tower/qwen3.8-27b (lan)',
    ],
    [
      'a named cloud endpoint',
      [LOCAL, CLOUD],
      { endpoint: 'vendor' },
      'endpoint-first-model: vendor/big-1 (cloud)',
    ],
    [
      'the model is elsewhere',
      [LOCAL, LAN],
      { endpoint: 'gpu', model: 'zzz-5' },
      'model_unavailable',
    ],
    ['the named endpoint is down', [down('off'), LAN], { endpoint: 'off' }, 'model_unavailable'],
    ['an unknown endpoint', [LOCAL], { endpoint: 'nope' }, 'unknown_endpoint'],
    ['an endpoint called __proto__', [LOCAL], { endpoint: '__proto__' }, 'unknown_endpoint'],
    [
      'a server without a list takes the name as given',
      [up('z', 'cloud', [], { listsModels: false })],
      { endpoint: 'z', model: 'glm-5.2' },
      'endpoint-and-model: z/glm-5.2 (cloud)',
    ],
    [
      '… but only when both are named',
      [up('z', 'unknown', [], { listsModels: false })],
      { model: 'glm-5.2' },
      'model_unavailable',
    ],
    [
      '… and a default does not count',
      [up('z', 'unknown', [], { listsModels: false })],
      { endpoint: 'z', defaultModel: 'glm-5.2' },
      'model_unavailable',
    ],

    [
      'local-only takes local',
      [UNKNOWN, CLOUD, LOCAL],
      { policy: 'local-only' },
      'first-served: gpu/glm-4.7 (local)',
    ],
    [
      'local-only takes LAN',
      [RENTED, LAN],
      { policy: 'local-only' },
      'first-served: tower/qwen3.8-27b (lan)',
    ],
    ['local-only refuses unknown', [UNKNOWN], { policy: 'local-only' }, 'policy_refused'],
    ['local-only refuses rented', [RENTED], { policy: 'local-only' }, 'policy_refused'],
    [
      'local-only refuses a named cloud endpoint',
      [LOCAL, CLOUD],
      { policy: 'local-only', endpoint: 'vendor' },
      'policy_refused',
    ],
    [
      'local-only refuses a named cloud model',
      [LOCAL, CLOUD],
      { policy: 'local-only', model: 'big-1' },
      'model_unavailable',
    ],
    [
      'local-only: down stays visible',
      [down('off'), CLOUD],
      { policy: 'local-only' },
      'model_unavailable',
    ],
    [
      'local-only refuses a gateway that the probe recognised',
      [up('g', 'local', ['a'], { backend: 'litellm' })],
      { policy: 'local-only' },
      'policy_refused',
    ],
    [
      'local-only refuses models that the server passes on',
      [up('o', 'local', [model('far', { remoteHost: 'https://ollama.com' })])],
      { policy: 'local-only', model: 'far' },
      'policy_refused',
    ],
    [
      'local-only skips *:cloud',
      [up('o', 'local', ['kimi:cloud', 'qwen3:8b'])],
      { policy: 'local-only' },
      'first-served: o/qwen3:8b (local)',
    ],
    [
      'a model that is passed on counts as cloud',
      [up('o', 'local', [model('far', { remoteHost: 'h' })])],
      {},
      'policy_refused',
    ],

    [
      'a model that failed the tool test',
      [up('a', 'local', [model('m')]), LAN].map((e, i) =>
        i === 0 ? { ...e, toolCalls: { m: 'no' as const } } : e,
      ),
      {},
      'first-served: tower/qwen3.8-27b (lan)',
    ],
    [
      '… named: refused',
      [{ ...up('a', 'local', ['m-1']), toolCalls: { 'm-1': 'no' } }],
      { model: 'm-1' },
      'model_unsuitable',
    ],
    [
      '… but good enough for a completion',
      [{ ...up('a', 'local', ['m-1']), toolCalls: { 'm-1': 'no' } }],
      { model: 'm-1', needsTools: false },
      'model-exact: a/m-1 (local)',
    ],
    [
      'a server that says it has no tools',
      [up('a', 'local', [model('m-1', { claimsTools: false })])],
      {},
      'model_unsuitable',
    ],
    [
      'a passed test outweighs the claim',
      [
        {
          ...up('a', 'local', [model('m-1', { claimsTools: false })]),
          toolCalls: { 'm-1': 'yes' },
        },
      ],
      {},
      'first-served: a/m-1 (local)',
    ],
    [
      'the same model elsewhere can',
      [{ ...up('a', 'local', ['m-1']), toolCalls: { 'm-1': 'no' } }, up('b', 'lan', ['m-1'])],
      { model: 'm-1' },
      'model-exact: b/m-1 (lan)',
    ],

    ['nothing configured', [], {}, 'model_unavailable'],
    ['nothing up', [down('a'), down('b')], {}, 'model_unavailable'],
    ['nothing loaded', [up('a', 'local', [])], {}, 'model_unavailable'],
  ];
  for (const [what, endpoints, call, expected] of table) {
    it(`${what} → ${expected}`, () => assert.equal(short(ask(endpoints, call)), expected));
  }

  describe('refusals say what to do', () => {
    function refusal(
      endpoints: readonly RouteEndpoint[],
      call: Call = {},
    ): { message: string; hint: string; details: Readonly<Record<string, unknown>> } {
      const decision = ask(endpoints, call);
      assert.ok(!decision.ok);
      return decision.error;
    }

    it('nothing up', () => {
      const { message, hint } = refusal([down('a'), down('b')]);
      assert.equal(message, 'No endpoint is up. Ask the user to start a model server.');
      assert.match(hint, /a: a is up, but nothing listens.*b: b is up/);
    });

    it('no match: what is served instead', () => {
      const { message, details } = refusal([LOCAL, LAN, down('off')], { model: 'zzz-9' });
      assert.equal(
        message,
        `No live endpoint is serving a model matching 'zzz-9'. Ask the user to start one.\nCurrently serving: gpu: glm-4.7, ${QWEN}; tower: qwen3.8-27b, glm-5`,
      );
      assert.deepEqual(details['serving'], {
        gpu: ['glm-4.7', QWEN],
        tower: ['qwen3.8-27b', 'glm-5'],
      });
      assert.ok(!('do_not_retry_in_cloud' in details));
    });

    it('the named endpoint is down: why, and what others serve', () => {
      const { message } = refusal([down('off'), LAN], { endpoint: 'off' });
      assert.equal(
        message,
        'off is not available: off is up, but nothing listens on port 1.\nCurrently serving: tower: qwen3.8-27b, glm-5',
      );
    });

    it('local-only: every refusal says not to do it in the cloud, and names nothing that runs there', () => {
      const calls: readonly Call[] = [
        {},
        { model: 'big-1' },
        { endpoint: 'vendor' },
        { endpoint: 'nope' },
      ];
      for (const call of calls) {
        const { message, hint, details } = refusal([down('off'), CLOUD], {
          ...call,
          policy: 'local-only',
        });
        assert.equal(details['do_not_retry_in_cloud'], true);
        assert.doesNotMatch(
          `${message} ${JSON.stringify(details['serving'] ?? {})}`,
          /big-1, glm-5/,
        );
        if (call.endpoint !== 'nope') assert.match(hint, /do not do it with a cloud model instead/);
      }
    });

    it('an unknown endpoint: the known ones', () => {
      const { message, hint, details } = refusal([LOCAL, LAN], { endpoint: 'no\u001bpe' });
      assert.equal(message, "There is no endpoint 'no pe'.");
      assert.equal(hint, 'Known: gpu, tower.');
      assert.deepEqual(details['known_endpoints'], ['gpu', 'tower']);
    });

    it('long lists are cut', () => {
      const many = up(
        'many',
        'local',
        Array.from({ length: 500 }, (_, index) => `model-${index}`),
      );
      assert.match(refusal([many], { model: 'zzz-9' }).message, /model-19 and 480 more$/);
    });
  });

  it('accounts for every candidate', () => {
    const decision = ask([down('off'), CLOUD, LOCAL, LAN, up('last', 'local', ['glm-5-air'])], {
      model: 'glm-5',
    });
    assert.deepEqual(decision.considered, [
      { endpoint: 'off', model: null, reason: 'off is up, but nothing listens on port 1.' },
      { endpoint: 'vendor', model: 'glm-5', reason: 'tower is nearer' },
      { endpoint: 'gpu', model: null, reason: 'serves no model of that name' },
      { endpoint: 'tower', model: 'glm-5', reason: null },
      {
        endpoint: 'last',
        model: 'glm-5-air',
        reason: 'only a fuzzy match, and there is one that is exact',
      },
    ]);
    const local = ask([CLOUD, LOCAL, LAN], { policy: 'local-only' });
    assert.deepEqual(local.considered, [
      { endpoint: 'vendor', model: null, reason: 'local-only: its place is cloud by its address' },
      { endpoint: 'gpu', model: 'glm-4.7', reason: null },
      { endpoint: 'tower', model: 'qwen3.8-27b', reason: 'gpu comes first' },
    ]);
  });

  describe('properties', () => {
    const id = fc.constantFrom('a-1', 'b-2', 'glm-5', 'GLM-5-Air', 'k:cloud');
    const locality = fc.constantFrom<Locality>('local', 'lan', 'rented', 'cloud', 'unknown');
    const served = fc.record({
      id,
      loaded: fc.constantFrom(true, false, null),
      claimsTools: fc.constantFrom(true, false, null),
      remoteHost: fc.constantFrom(null, null, 'https://ollama.com'),
    });
    const endpoint = (name: string): fc.Arbitrary<RouteEndpoint> =>
      fc.record({
        name: fc.constant(name),
        place: fc.record({ locality, source: fc.constantFrom('declared', 'address', 'gateway') }),
        toolCalls: fc.dictionary(id, fc.constantFrom('yes', 'no')),
        probe: fc.option(
          fc
            .record({
              state: fc.constantFrom<'up' | 'down'>('up', 'up', 'down'),
              message: fc.constantFrom(null, 'off.'),
              backend: fc.constantFrom<RouteProbe['backend']>('llama.cpp', 'litellm', 'ollama'),
              listsModels: fc.constantFrom(true, true, false),
              models: fc.uniqueArray(served, { selector: (item) => item.id, maxLength: 4 }),
            })
            .map((probe) => (probe.listsModels ? probe : { ...probe, models: [] })),
        ),
      });
    const name = fc.constantFrom(null, 'a-1', 'glm-5', 'glm', '*', 'glm-*', 'nope-9');
    const input: fc.Arbitrary<RouteInput> = fc.record({
      request: fc.record({
        model: name,
        endpoint: fc.constantFrom(null, null, 'e0', 'e1', 'nope'),
        policy: fc.constantFrom(null, 'local-only', 'prefer-local', 'any'),
        needsTools: fc.boolean(),
        isChainMember: fc.boolean(),
      }),
      defaults: fc.record({
        model: name,
        policy: fc.constantFrom('local-only', 'prefer-local', 'any'),
      }),
      endpoints: fc.tuple(endpoint('e0'), endpoint('e1'), endpoint('e2')),
    });
    const property = (check: (input: RouteInput, decision: RouteDecision) => void): void =>
      fc.assert(
        fc.property(input, (value) => check(value, route(value))),
        { numRuns: 1000 },
      );

    it('the same input gives the same decision, and the input is left as it was', () => {
      property((value, decision) => {
        const [copy, untouched] = [structuredClone(value), structuredClone(value)];
        assert.deepEqual(plain(route(copy)), plain(decision));
        assert.deepEqual(copy, untouched);
      });
    });

    it('local-only never names anything but local or LAN', () => {
      property((value, decision) => {
        if ((value.request.policy ?? value.defaults.policy) !== 'local-only') return;
        if (!decision.ok) {
          assert.equal(decision.error.details['do_not_retry_in_cloud'], true);
          return;
        }
        const taken = value.endpoints.find((candidate) => candidate.name === decision.endpoint);
        assert.ok(['local', 'lan'].includes(taken?.place.locality ?? ''));
        assert.ok(['local', 'lan'].includes(decision.locality));
        const chosen = taken?.probe?.models.find((candidate) => candidate.id === decision.model);
        assert.equal(chosen?.remoteHost ?? null, null);
      });
    });

    it('local-only does not depend on anything known about far endpoints', () => {
      property((value, decision) => {
        if ((value.request.policy ?? value.defaults.policy) !== 'local-only') return;
        const blind = value.endpoints.map((candidate) =>
          ['local', 'lan'].includes(candidate.place.locality)
            ? candidate
            : { ...candidate, probe: null },
        );
        assert.deepEqual(plain(route({ ...value, endpoints: blind })), plain(decision));
      });
    });

    it('a cloud model is taken only when its endpoint or its exact id was named, or by a chain', () => {
      property((value, decision) => {
        if (!decision.ok || decision.locality !== 'cloud') return;
        const { endpoint, model, isChainMember } = value.request;
        assert.ok(
          endpoint !== null || model === decision.model || (model !== null && isChainMember),
        );
      });
    });

    it('what is taken is up, served, named by the caller if anything was, and accounted for once', () => {
      property((value, decision) => {
        const taken = decision.considered.filter((row) => row.reason === null);
        if (!decision.ok) {
          assert.deepEqual(taken, []);
          return;
        }
        assert.deepEqual(taken, [
          { endpoint: decision.endpoint, model: decision.model, reason: null },
        ]);
        const chosen = value.endpoints.find((candidate) => candidate.name === decision.endpoint);
        assert.equal(chosen?.probe?.state, 'up');
        if (chosen.probe.listsModels)
          assert.ok(chosen.probe.models.some((item) => item.id === decision.model));
        if (value.request.endpoint !== null)
          assert.equal(decision.endpoint, value.request.endpoint);
        if (value.request.needsTools) assert.notEqual(chosen.toolCalls[decision.model], 'no');
      });
    });

    it('every endpoint is accounted for when the call can be looked at', () => {
      property((value, decision) => {
        if (!decision.ok && decision.error.kind === 'unknown_endpoint') return;
        const seen = new Set(decision.considered.map((row) => row.endpoint));
        assert.equal(seen.size, value.endpoints.length);
      });
    });
  });
});

/** A decision without the stack of its error. */
function plain(decision: RouteDecision): unknown {
  if (decision.ok) return decision;
  const { kind, message, hint, details } = decision.error;
  return { kind, message, hint, details, considered: decision.considered };
}
