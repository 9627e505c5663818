import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { type ChainInput, resolveChain } from '../../../../src/bridge/routing/resolveChain.ts';
import { isPinned } from '../../../../src/config/isPinned.ts';
import { poolOf } from '../../../../src/config/poolOf.ts';

const POOLS = { 'glm-': {}, 'qwen-': {}, 'deepseek-': {}, default: {} };
const PINNED = ['local-', 'ornith', 'codex', 'gpt-'];

/** What a member as it is written is served as. */
const SERVED: Readonly<Record<string, string>> = {
  'qwen-3-8-max': 'qwen-3-8-max',
  'deepseek-v4-flash': 'deepseek-v4-flash',
  'glm-5-3-flash': 'glm-5-3-flash',
  'glm-coding-plan': 'glm-coding-plan',
  'local-qwen': 'local-qwen',
  sneaky: 'Local-Qwen',
  plain: 'plain',
  other: 'other',
};

function ask(over: Partial<ChainInput> & { asked?: string } = {}) {
  const { asked = 'glm-coding-plan-think', ...rest } = over;
  return resolveChain({
    origin: { names: [asked], endpoint: 'gate', model: asked },
    chain: ['qwen-3-8-max', 'deepseek-v4-flash'],
    pinned: PINNED,
    route: (member) => {
      const model = SERVED[member];
      return model === undefined
        ? {
            ok: false,
            error: new BridgeError(
              'model_unavailable',
              `No live endpoint serves '${member}'.\nmore`,
            ),
            considered: [],
          }
        : {
            ok: true,
            endpoint: 'gate',
            model,
            locality: 'unknown',
            rule: 'model-exact',
            considered: [],
          };
    },
    poolOf: (model) => poolOf(POOLS, model),
    unsuitable: () => null,
    ...rest,
  });
}

const models = (result: ReturnType<typeof resolveChain>): string[] =>
  result.standIns.map(({ model }) => model);

describe('resolveChain', () => {
  it('keeps the order of the chain, and says which stand-in each is', () => {
    const result = ask();
    assert.deepEqual(models(result), ['qwen-3-8-max', 'deepseek-v4-flash']);
    assert.deepEqual(
      result.considered.map(({ reason }) => reason),
      ['stand-in 1 of the chain', 'stand-in 2 of the chain'],
    );
  });

  const left: readonly (readonly [
    what: string,
    over: Parameters<typeof ask>[0],
    reason: RegExp,
  ])[] = [
    ['in the pool of the model asked for', { chain: ['glm-5-3-flash'] }, /shares the pool glm-/],
    ['nobody serves', { chain: ['gone'] }, /^no stand-in: No live endpoint serves 'gone'\.$/],
    ['that is pinned as it is written', { chain: ['LOCAL-qwen'] }, /pinned/],
    ['that is pinned as it is served', { chain: ['sneaky'] }, /Local-Qwen is pinned/],
    ['that what drives the model cannot use', { unsuitable: () => 'only chat' }, /only chat/],
    [
      'that is the model itself',
      { asked: 'plain', chain: ['plain'] },
      /the model asked for itself/,
    ],
  ];
  for (const [what, over, reason] of left) {
    it(`leaves out a member ${what}`, () => {
      const result = ask(over);
      assert.deepEqual(result.standIns, []);
      assert.match(result.considered[0]?.reason ?? '', reason);
    });
  }

  it('leaves out a member in the pool of an earlier one', () => {
    const chain = ['qwen-3-8-max', 'deepseek-v4-flash', 'deepseek-v4-flash'];
    assert.deepEqual(models(ask({ chain })), ['qwen-3-8-max', 'deepseek-v4-flash']);
  });

  it('keeps members without a pool of their own: they help when an endpoint is busy or fails', () => {
    assert.deepEqual(models(ask({ asked: 'plain', chain: ['other'] })), ['other']);
  });

  it('a pinned model has no stand-ins, by whichever of its names', () => {
    for (const names of [['local-a'], ['some-alias', 'GPT-9'], ['ornith', 'x']]) {
      const result = ask({ origin: { names, endpoint: 'gate', model: names[0] ?? '' } });
      assert.deepEqual(result.standIns, []);
      assert.ok(result.considered.every(({ reason }) => reason?.includes('pinned')));
    }
  });

  it('a poisoned table never leads into a pinned pool, nor out of one, nor into the own pool', () => {
    const name = fc.constantFrom(...Object.keys(SERVED), 'gone', 'gpt-6', 'CODEX', 'glm-x');
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 8 }), (asked, chain) => {
        const result = ask({ asked, chain });
        assert.equal(result.considered.length, chain.length, 'each member is accounted for');
        const taken = models(result);
        if (isPinned(PINNED, asked)) assert.deepEqual(taken, []);
        assert.ok(taken.every((model) => !isPinned(PINNED, model)));
        const pools = [asked, ...taken]
          .map((model) => poolOf(POOLS, model))
          .filter((pool) => pool !== 'default');
        assert.equal(new Set(pools).size, pools.length);
      }),
    );
  });
});
