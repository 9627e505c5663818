import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import path from 'node:path';
import { checkConfig } from '../../../src/config/check.ts';
import { HABITS } from '../../../src/config/envHabits.ts';
import { migrateEnvironment } from '../../../src/config/envMigration.ts';
import { FACT_VARIABLES, MAPPED_VARIABLES } from '../../../src/config/envTable.ts';
import { ConfigLoader, type LoadedConfig } from '../../../src/config/load.ts';
import { modelFacts } from '../../../src/config/modelFacts.ts';
import { parseModelsText } from '../../../src/config/parse.ts';
import { poolOf } from '../../../src/config/poolOf.ts';
import type { EffectiveConfig } from '../../../src/config/schema.ts';
import { scratchFolders } from './scratch.ts';

type Env = Record<string, string>;

/** What a file of the habits alone has to be warned of. */
const EXPECTED = ['chain_billing', 'not_active'];
const SECRETS = ['DELEGATE_LOCAL_KEY', 'DELEGATE_BIFROST_VK_LOCAL', 'DELEGATE_BIFROST_VK_CODE'];
const SECRET = 'sk-hush-0123';

const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  text: fc.constantFrom('some-model', 'qwen 3: "x" # y', '*', 'ä', '~', 'null', '1.0', 'yes'),
  path: fc.constantFrom('~/agents', '/opt/agents dir', 'relative'),
  number: fc.constantFrom('0', '1', '7', '2.5', '-3', '85', 'many'),
  boolean: fc.constantFrom('0', '1', 'no', 'TRUE', 'maybe'),
  list: fc.constantFrom('A', 'A,B_C', 'a b', ','),
};

const environment: fc.Arbitrary<Env> = fc
  .tuple(
    fc.record(
      Object.fromEntries(
        Object.entries(MAPPED_VARIABLES).map(([name, { kind }]) => [
          name,
          VALUES[kind] ?? fc.constant(''),
        ]),
      ),
      { requiredKeys: [] },
    ),
    fc.record(
      Object.fromEntries(
        Object.entries(FACT_VARIABLES).map(([name, { values }]) => [
          name,
          fc.constantFrom(...Object.keys(values)),
        ]),
      ),
      { requiredKeys: [] },
    ),
    fc.record(
      {
        DELEGATE_GATEWAY: fc.constantFrom('litellm', 'bifrost', 'kong'),
        DELEGATE_LOCAL_URL: fc.constantFrom(
          'http://box:8080/v1/messages',
          'http://localhost:4000',
          'nonsense',
        ),
        DELEGATE_BIFROST_URL: fc.constantFrom('http://b/litellm', 'https://b.example'),
        ...Object.fromEntries(SECRETS.map((name) => [name, fc.constant(SECRET)])),
        DELEGATE_CONCURRENCY_GLM: fc.constantFrom('1', '9', 'x'),
        DELEGATE_CONCURRENCY_GLM_CODING_PLAN: fc.constantFrom('4'),
        DELEGATE_CONCURRENCY_DEFAULT: fc.constantFrom('3', '0'),
        DELEGATE_CONCURRENCY_OTHER: fc.constantFrom('5'),
        DELEGATE_SLOT_DIR: fc.constant('/slots'),
        DELEGATE_UNHEARD_OF: fc.constant('x'),
      },
      { requiredKeys: [] },
    ),
  )
  .map((parts) => Object.assign({}, ...parts) as Env);

describe('migrateEnvironment', function () {
  this.timeout(60_000); // hundreds of files are written and read

  const scratch = scratchFolders();

  const load = (env: Env, file: string | null): LoadedConfig => {
    const homeDir = scratch.folder();
    return new ConfigLoader({
      env: { ...env, XDG_CONFIG_HOME: path.join(homeDir, 'config') },
      homeDir,
      ...(file === null
        ? {}
        : { configFile: scratch.write(path.join(homeDir, 'models.yaml'), file) }),
      trust: () => false,
      platform: 'linux',
    }).load(null);
  };

  it('gives a file that parses, checks clean and holds no key, whatever the environment', () => {
    fc.assert(
      fc.property(environment, (env) => {
        const { text, notes } = migrateEnvironment(env);
        assert.ok(!`${text}${notes.join()}`.includes(SECRET));
        const { value, problems } = parseModelsText(text, 'f');
        assert.deepEqual(problems, []);
        assert.ok(value);
        const codes = checkConfig(value).map(({ code }) => code);
        assert.deepEqual(
          codes.filter((code) => !EXPECTED.includes(code)),
          [],
        );
      }),
    );
  });

  it('gives a file that does without the variables what they did', () => {
    fc.assert(
      fc.property(environment, (env) => {
        const before = load(env, null).config;
        const after = load({}, migrateEnvironment(env).text).config;
        // Pools, chains and facts about models come on top; what the variables say of them holds.
        assert.deepEqual(comparable(after), comparable(before));
        for (const [pool, { slots }] of Object.entries(before.pools)) {
          if (pool === 'default' && usable(env['DELEGATE_CONCURRENCY_DEFAULT']) === null) continue;
          assert.equal(after.pools[pool]?.slots, slots, pool);
        }
        for (const model of ['glm-4', 'deepseek-v4-flash', 'qwen-3-8-max', 'local-x', 'new']) {
          const said = before.models['*'] ?? {};
          const { prompt_cache, resend_reasoning } = modelFacts(after.models, model);
          const habit = modelFacts(HABITS.models ?? {}, model);
          assert.equal(prompt_cache, said.prompt_cache ?? habit.prompt_cache, model);
          assert.equal(resend_reasoning, said.resend_reasoning ?? habit.resend_reasoning, model);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('says what it did not take over, by name', () => {
    const { notes } = migrateEnvironment({
      DELEGATE_LOCAL_KEY: SECRET,
      DELEGATE_SLOT_DIR: '/x',
      DELEGATE_TURN_TIMEOUT: 'long',
      DELEGATE_LOCAL_MODLE: 'x',
      DELEGATE_STATE: '/s',
      DELEGATE_BATCH_QUEUE_GRACE: '5',
    });
    for (const word of [
      /^Keep DELEGATE_LOCAL_KEY set/,
      /^Not taken over: \$DELEGATE_TURN_TIMEOUT/,
      /^DELEGATE_SLOT_DIR has no place/,
      /did you mean DELEGATE_LOCAL_MODEL\?/,
      /^DELEGATE_STATE stays/,
      /^DELEGATE_BATCH_QUEUE_GRACE stays/,
    ])
      assert.ok(
        notes.some((note) => word.test(note)),
        `${word}: ${notes.join('\n')}`,
      );
  });

  it('says where variables may be when there are none here', () => {
    const { text, notes } = migrateEnvironment({ PATH: '/bin' });
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /^No DELEGATE_\* variable is set here\..*claude mcp get/);
    assert.match(text, /base_url: http:\/\/localhost:4000/);
  });

  it('does not write a login that stood in an address', () => {
    const { text, notes } = migrateEnvironment({
      DELEGATE_LOCAL_URL: `http://me:${SECRET}@box/v1`,
    });
    assert.match(text, /base_url: http:\/\/box\n/);
    assert.ok(!`${text}${notes.join()}`.includes(SECRET));
    assert.ok(notes.some((note) => note.includes('login')));
  });

  it('gives the pools, output limits and chains that delegate-local has built in', () => {
    const { config } = load({}, migrateEnvironment({}).text);
    const pools: [model: string, pool: string, slots: number][] = [
      ['glm-coding-plan', 'glm-', 6],
      ['glm-5-3-flash', 'glm-', 6],
      ['deepseek-v4-flash', 'deepseek-v4-flash', 6],
      ['deepseek-v4-pro', 'deepseek-', 6],
      ['qwen-3-8-max', 'qwen-3-8', 6],
      ['qwen3-32b', 'default', 4],
      ['local-qwen-3-6-35b', 'local-', 2],
      ['minimax-m3', 'minimax', 4],
    ];
    for (const [model, pool, slots] of pools) {
      assert.equal(poolOf(config.pools, model), pool, model);
      assert.equal(config.pools[pool]?.slots, slots, pool);
    }
    const limits: [model: string, limit: number | null][] = [
      ['qwen-3-8-max-think', 131_072],
      ['qwen-3-8-max', 131_072],
      ['glm-coding-plan-max', 131_072],
      ['glm-coding-plan-think', null],
      ['deepseek-v4-flash', 150_000],
      ['deepseek-v4-pro-max', 150_000],
      ['some-model-max', 150_000],
      ['some-model', null],
    ];
    for (const [model, limit] of limits) {
      const { max_tokens = null, max_tokens_cap = Infinity } = modelFacts(config.models, model);
      assert.equal(max_tokens, limit, model);
      assert.ok((max_tokens ?? 0) <= max_tokens_cap, model);
    }
    for (const [origin, chain] of Object.entries(config.failover.chains)) {
      assert.ok(chain.length > 0);
      const own = poolOf(config.pools, origin);
      assert.ok(
        chain.every((member) => poolOf(config.pools, member) !== own),
        origin,
      );
    }
  });
});

/** What has to be the same before and after, with `~` as nothing but a way to write the home folder. */
function comparable(config: EffectiveConfig): unknown {
  const { pools: _pools, models: _models, failover, ...rest } = config;
  const { chains: _chains, ...limits } = failover;
  return JSON.parse(
    JSON.stringify({ ...rest, failover: limits }).replace(
      /"(?:~|\/[^"]*?\/delegate-config-\w+)\/(?=agents|\.)/g,
      '"HOME/',
    ),
  );
}

function usable(text: string | undefined): number | null {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : null;
}
