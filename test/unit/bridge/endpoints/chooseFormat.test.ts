import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chooseFormat, type FormatInput } from '../../../../src/bridge/endpoints/chooseFormat.ts';

const GATEWAY: FormatInput = {
  configured: 'auto',
  probe: { backend: 'litellm', formats: ['anthropic', 'openai'] },
  model: 'glm-5.2',
  modelFormat: null,
};

describe('chooseFormat', () => {
  for (const model of [
    'deepseek-v4',
    'DeepSeek-V4',
    'gpt-6',
    'qwen-3-8-max',
    'kimi-k3',
    'grok-5',
    'minimax-m3',
    'moonshot-1',
    'openai-x',
  ]) {
    it(`${model} on a gateway: openai`, () =>
      assert.equal(chooseFormat({ ...GATEWAY, model }), 'openai'));
  }
  for (const model of ['glm-5.2', 'local-qwen-3', 'qwen3-8b', 'ornith', 'claude-x', 'bedrock-y']) {
    it(`${model} on a gateway: anthropic`, () =>
      assert.equal(chooseFormat({ ...GATEWAY, model }), 'anthropic'));
  }

  it('the configuration comes first: of the endpoint, then of the model', () => {
    assert.equal(
      chooseFormat({ ...GATEWAY, configured: 'openai', modelFormat: 'anthropic' }),
      'openai',
    );
    assert.equal(chooseFormat({ ...GATEWAY, modelFormat: 'openai' }), 'openai');
  });

  it('elsewhere what the server speaks decides, not the name', () => {
    const at = (formats: FormatInput['probe']['formats']): string =>
      chooseFormat({ ...GATEWAY, model: 'deepseek-v4', probe: { backend: 'llama.cpp', formats } });
    assert.equal(at(['anthropic', 'openai']), 'anthropic');
    assert.equal(at(['openai']), 'openai');
    assert.equal(at([]), 'openai');
  });
});
