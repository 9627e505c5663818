import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { configForAgent } from '../../../../src/bridge/agents/configForAgent.ts';
import { ConfigLoader, type LoadedConfig } from '../../../../src/config/load.ts';

describe('configForAgent', () => {
  const loaded = (codingModel: string): LoadedConfig =>
    new ConfigLoader({
      env: { DELEGATE_LOCAL_MODEL: 'small', DELEGATE_LOCAL_CODING_MODEL: codingModel },
      homeDir: '/nowhere',
      trust: () => false,
    }).load(null);

  it('gives a coding agent its default model, and leaves all else', () => {
    const before = loaded('big');
    const { config, ...rest } = configForAgent(before, 'coder');
    assert.equal(config.defaults.model, 'big');
    assert.equal(before.config.defaults.model, 'small');
    assert.deepEqual(
      { ...config, defaults: { ...config.defaults, model: 'small' } },
      before.config,
    );
    assert.equal(rest.origin('defaults.model'), '$DELEGATE_LOCAL_MODEL');
  });

  it('changes nothing for others', () => {
    for (const [agent, model] of [
      ['reviewer', 'big'],
      [null, 'big'],
      ['coder', ''],
    ] as const) {
      const before = loaded(model);
      assert.equal(configForAgent(before, agent), before);
    }
  });
});
