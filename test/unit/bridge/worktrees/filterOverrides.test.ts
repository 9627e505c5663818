import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import {
  filterOverrides,
  settingsEnvironment,
} from '../../../../src/bridge/worktrees/filterOverrides.ts';

describe('filterOverrides', () => {
  it('switches every part of every filter off, whatever its name is', () => {
    const names = ['filter.lfs.clean', 'filter.lfs.process', 'filter.a=b.c\nd.smudge', 'filter.x'];
    const settings = new Map(filterOverrides(names.map((name) => `${name}\0`).join('')));
    for (const driver of ['filter.lfs', 'filter.a=b.c\nd']) {
      for (const part of ['clean', 'smudge', 'process'])
        assert.equal(settings.get(`${driver}.${part}`), '');
      assert.equal(settings.get(`${driver}.required`), 'false');
    }
    assert.equal(settings.size, 8);
  });

  it('goes to git as environment, so that no name is taken apart', () => {
    assert.deepEqual(settingsEnvironment([['filter.a=b.clean', '']]), {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'filter.a=b.clean',
      GIT_CONFIG_VALUE_0: '',
    });
    assert.deepEqual(settingsEnvironment([]), { GIT_CONFIG_COUNT: '0' });
  });
});
