import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { modelsFileSchema, type ModelFacts } from '../../../src/config/schema.ts';
import type { JobEndpoint } from '../../../src/jobHost/jobSetup.ts';
import { loopPlaceOf } from '../../../src/jobHost/loopPlaceOf.ts';

interface Given {
  readonly model: string;
  readonly facts?: ModelFacts;
  readonly format?: 'anthropic' | 'openai';
  readonly window?: number | null;
}

function place({ model, facts, format = 'anthropic', window = null }: Given) {
  const config = modelsFileSchema.parse(facts === undefined ? {} : { models: { [model]: facts } });
  return loopPlaceOf(
    {
      config: { config },
      resolved: { target: { name: 'here', format } },
      probe: { backend: 'other', formats: [format] },
      contextWindow: window,
    } as unknown as JobEndpoint,
    model,
    {},
  );
}

describe('loopPlaceOf', () => {
  const marks: { given: Given; marks: boolean }[] = [
    { given: { model: 'glm-5.2' }, marks: true },
    { given: { model: 'GLM-5.2' }, marks: true },
    { given: { model: 'claude-x' }, marks: true },
    { given: { model: 'bedrock-y' }, marks: true },
    { given: { model: 'anthropic/z' }, marks: true },
    { given: { model: 'local-qwen' }, marks: false },
    { given: { model: 'glm-5.2', format: 'openai' }, marks: false },
    { given: { model: 'glm-5.2', facts: { prompt_cache: 'none' } }, marks: false },
    { given: { model: 'local-qwen', facts: { prompt_cache: 'anthropic' } }, marks: true },
  ];
  for (const { given, marks: has } of marks)
    it(`cache marks ${JSON.stringify(given)}: ${has}`, () =>
      assert.equal(place(given).hasCacheMarks, has));

  const resent: { given: Given; resends: boolean }[] = [
    { given: { model: 'deepseek-v4-flash' }, resends: true },
    { given: { model: 'qwen3' }, resends: false },
    { given: { model: 'qwen3', facts: { resend_reasoning: true } }, resends: true },
    { given: { model: 'deepseek-v4-flash', facts: { resend_reasoning: false } }, resends: false },
  ];
  for (const { given, resends } of resent)
    it(`reasoning goes back ${JSON.stringify(given)}: ${resends}`, () =>
      assert.equal(place(given).resendsReasoning, resends));

  it('small windows get small output limits', () => {
    assert.equal(place({ model: 'x', window: 10_000 }).maxTokens, 3000);
    assert.equal(place({ model: 'x' }).maxTokens, 65_536);
  });
});
