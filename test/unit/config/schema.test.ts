import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as z from 'zod';
import { checkConfig } from '../../../src/config/check.ts';
import { effectiveConfig } from '../../../src/config/effectiveConfig.ts';
import { exampleFile } from '../../../src/config/exampleFile.ts';
import { modelsJsonSchema } from '../../../src/config/jsonSchema.ts';
import { modelFacts } from '../../../src/config/modelFacts.ts';
import { globScore } from '../../../src/config/modelMatch.ts';
import { parseModelsText } from '../../../src/config/parse.ts';
import { poolOf } from '../../../src/config/poolOf.ts';
import { formatProblem } from '../../../src/config/problem.ts';
import { modelsFileSchema } from '../../../src/config/schema.ts';
import { bareSchema } from '../../../src/config/schemaWalk.ts';
import { serverRoot } from '../../../src/config/serverRoot.ts';

/** Every key with its schema, entries of free-named groups included. */
function everyKey(
  schema: z.core.$ZodType = modelsFileSchema,
  path: string[] = [],
): { path: string[]; schema: z.ZodType }[] {
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodRecord) return everyKey(bare.valueType, [...path, '*']);
  if (!(bare instanceof z.ZodObject)) return [];
  return Object.entries(bare.shape as Record<string, z.ZodType>).flatMap(([key, inner]) => [
    { path: [...path, key], schema: inner },
    ...everyKey(inner, [...path, key]),
  ]);
}

describe('the schema', () => {
  it('describes every key', () => {
    const silent = everyKey().filter(({ schema }) => !schema.description);
    assert.deepEqual(
      silent.map(({ path }) => path.join('.')),
      [],
    );
    assert.ok(everyKey().length > 110);
  });

  it('gives the documented defaults', () => {
    const config = effectiveConfig(
      { endpoints: { a: { base_url: 'http://a' } }, gates: { t: { run: 'x' } } },
      [],
    );
    assert.deepEqual(config.failover, {
      when: ['pool_full'],
      primary_wait_s: 0,
      grace_s: 10,
      pinned: ['local-', 'ornith', 'codex', 'gpt-'],
      chains: {},
    });
    assert.deepEqual({ ...config.pools }, { default: { slots: 6 } });
    assert.deepEqual(config.retention, { days: 90, max_gb: 5 });
    assert.deepEqual(config.gates['t'], {
      run: 'x',
      timeout_s: 600,
      kind: 'tests',
      protect: [],
      baseline: false,
    });
    assert.deepEqual(config.runners.codex.quota_refuse_pct, null);
    assert.deepEqual(
      [config.runners.loop.max_turns, config.runners.dsh.stagger_s, config.secrets],
      [25, 5, 'file'],
    );
  });

  it('holds no transforms: one layer is kept as it was written', () => {
    assert.deepEqual(modelsJsonSchema(), JSON.parse(JSON.stringify(modelsJsonSchema())));
    assert.equal(modelsJsonSchema()['additionalProperties'], false);
  });

  it('makes an example that shows every key and is right', () => {
    const text = exampleFile();
    const missing = everyKey().filter(
      ({ path }) => !new RegExp(`^ *(# )?${path.at(-1)}:`, 'm').test(text),
    );
    assert.deepEqual(
      missing.map(({ path }) => path.join('.')),
      [],
    );
    const active = parseModelsText(text, 'example');
    assert.deepEqual(active.problems.map(formatProblem), []);
    const full = parseModelsText(
      text.replace(/^( *)# (["\w-]+: )/gm, (line, pad: string, key: string) =>
        /^(auto|worktree|pool_full): $/.test(key) ? line : `${pad}${key}`,
      ),
      'example',
    );
    assert.deepEqual(full.problems.map(formatProblem), []);
    assert.deepEqual(
      checkConfig(active.parts).filter(({ severity }) => severity === 'error'),
      [],
    );
  });

  it('and the files made from it are up to date', () => {
    execFileSync(process.execPath, ['tools/generate.ts', '--check'], {
      cwd: path.join(import.meta.dirname, '../../..'),
      stdio: 'pipe',
    });
  });
});

describe('names and addresses', () => {
  const globs: [pattern: string, name: string, score: number][] = [
    ['a', 'a', Infinity],
    ['a', 'ab', -1],
    ['*', 'a', 0],
    ['a*', 'ab', 1],
    ['a*c', 'abbc', 2],
    ['a*c', 'abb', -1],
    ['?b', 'ab', 1],
    ['*:cloud', 'x:cloud', 6],
    ['**', '', 0],
    ['a.c', 'abc', -1],
  ];
  for (const [pattern, name, score] of globs)
    it(`${pattern} on ${name}`, () => assert.equal(globScore(pattern, name), score));
  it('matches hostile globs in bounded time', () =>
    assert.equal(globScore(`${'*a'.repeat(500)}b`, 'a'.repeat(5000)), -1));

  it('takes facts field by field, the most specific last', () => {
    const models = {
      'glm-5': { max_tokens: 1 },
      'glm-*': { format: 'anthropic' as const, max_tokens: 2 },
      '*': { format: 'openai' as const, billing: 'flat' as const },
    };
    assert.deepEqual(modelFacts(models, 'glm-5'), {
      format: 'anthropic',
      billing: 'flat',
      max_tokens: 1,
    });
    assert.deepEqual(modelFacts(models, 'x'), { format: 'openai', billing: 'flat' });
    assert.deepEqual(modelFacts({}, 'x'), {});
  });

  it('finds the pool with the longest prefix', () => {
    const pools = { default: {}, 'glm-': {}, 'glm-5': {}, local: {} };
    assert.deepEqual(
      ['glm-5.2', 'GLM-4', 'glm', 'local-x', 'default-x'].map((model) => poolOf(pools, model)),
      ['glm-5', 'glm-', 'default', 'local', 'default'],
    );
  });

  const roots: [address: string, root: string][] = [
    ['http://h/v1/messages', 'http://h'],
    ['https://api.z.ai/api/anthropic/v1/messages', 'https://api.z.ai/api/anthropic'],
    ['https://openrouter.ai/api/v1/chat/completions', 'https://openrouter.ai/api'],
    ['http://h', 'http://h'],
    ['HTTP://H:80/?x#y', 'http://h'],
    ['http://h/v1/', 'http://h'],
    ['http://h/v1beta/x', 'http://h/v1beta/x'],
    ['http://u:p%40@h:81/a/', 'http://u:p%40@h:81/a'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
    ['nonsense', 'nonsense'],
  ];
  for (const [address, root] of roots)
    it(`root of ${address}`, () => assert.equal(serverRoot(address), root));
});
