import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  outputLimit,
  type OutputLimitInput,
} from '../../../../../src/bridge/runners/loop/outputLimit.ts';

const PLAIN: OutputLimitInput = {
  model: 'some-model',
  asked: undefined,
  facts: {},
  configured: 65_536,
  contextWindow: null,
};

describe('outputLimit', () => {
  const table: { name: string; given: Partial<OutputLimitInput>; limit: number }[] = [
    { name: 'nobody said: the configured one', given: {}, limit: 65_536 },
    { name: 'the call wins', given: { asked: 1000, facts: { max_tokens: 5000 } }, limit: 1000 },
    { name: 'models.yaml comes next', given: { facts: { max_tokens: 5000 } }, limit: 5000 },
    { name: 'zero is not given', given: { asked: 0 }, limit: 65_536 },
    { name: 'a negative number is not given', given: { asked: -1 }, limit: 65_536 },
    { name: 'a fraction is not given', given: { asked: 1.5 }, limit: 65_536 },
    { name: 'a text is not given', given: { asked: '4096' }, limit: 65_536 },
    {
      name: 'the cap of models.yaml holds for the call too',
      given: { asked: 200_000, facts: { max_tokens_cap: 100_000 } },
      limit: 100_000,
    },
    { name: 'GLM takes 131 072', given: { model: 'glm-5.2', asked: 200_000 }, limit: 131_072 },
    { name: 'Qwen 3.8 too', given: { model: 'QWEN-3-8-max', asked: 200_000 }, limit: 131_072 },
    {
      name: 'models.yaml knows a cap better',
      given: { model: 'glm-9', asked: 200_000, facts: { max_tokens_cap: 180_000 } },
      limit: 180_000,
    },
    { name: 'alias qwen-3-8-max-think', given: { model: 'qwen-3-8-max-think' }, limit: 131_072 },
    { name: 'alias qwen-3-8-max', given: { model: 'qwen-3-8-max' }, limit: 131_072 },
    { name: 'alias glm-coding-plan-max', given: { model: 'glm-coding-plan-max' }, limit: 131_072 },
    {
      name: 'alias glm-coding-plan-think',
      given: { model: 'glm-coding-plan-think' },
      limit: 65_536,
    },
    { name: 'alias glm-coding-plan', given: { model: 'glm-coding-plan' }, limit: 65_536 },
    { name: 'alias deepseek-v4-flash', given: { model: 'DeepSeek-V4-Flash' }, limit: 150_000 },
    { name: 'alias deepseek-v4-pro-max', given: { model: 'deepseek-v4-pro-max' }, limit: 150_000 },
    { name: 'a small window', given: { contextWindow: 8192 }, limit: 2457 },
    { name: 'a large window', given: { contextWindow: 1_000_000 }, limit: 65_536 },
  ];
  for (const { name, given, limit } of table)
    it(`${name}: ${limit}`, () => assert.equal(outputLimit({ ...PLAIN, ...given }), limit));

  it('is positive, never above cap or call, and leaves most of a window to the prompt', () => {
    const size = fc.integer({ min: 1, max: 300_000 });
    fc.assert(
      fc.property(
        fc.constantFrom('glm-coding-plan-max', 'deepseek-v4-pro', 'x'),
        fc.option(size, { nil: undefined }),
        size,
        fc.option(fc.integer({ min: 1024, max: 2_000_000 })),
        (model, asked, cap, contextWindow) => {
          const limit = outputLimit({
            ...PLAIN,
            model,
            asked,
            facts: { max_tokens_cap: cap },
            contextWindow,
          });
          assert.ok(limit >= 1 && limit <= cap && limit <= (asked ?? limit));
          if (contextWindow !== null) assert.ok(limit <= contextWindow * 0.3);
        },
      ),
    );
  });
});
