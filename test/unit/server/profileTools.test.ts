import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { profileTools } from '../../../src/server/profileTools.ts';
import { PROFILES } from '../../../src/server/serverOptions.ts';

describe('profileTools', () => {
  for (const profile of PROFILES) {
    it(`${profile}: in restricted mode only what reads, and the rest is withheld, not unknown`, async () => {
      const all = (await profileTools(profile, false)).offered;
      const { offered, withheld } = await profileTools(profile, true);
      assert.ok(offered.every((tool) => tool.effect === 'read'));
      assert.equal(offered.length + withheld.length, all.length);
    });

    it(`${profile}: names are unique, inputs refuse unknown arguments`, async () => {
      const { offered } = await profileTools(profile, false);
      assert.equal(new Set(offered.map((tool) => tool.name)).size, offered.length);
      for (const tool of offered) {
        const { error } = tool.input.safeParse({ no_such_argument: 1 });
        assert.ok(
          error?.issues.some((issue) => issue.code === 'unrecognized_keys'),
          tool.name,
        );
      }
    });
  }

  it('a model does not see what only a person may do', async () => {
    const names = (await profileTools('bridge', false)).offered.map((tool) => tool.name);
    for (const name of [
      'undo_accept',
      'restore_job',
      'abandon_job',
      'trust',
      'set_secret',
      'secret_names',
      'gc',
      'dirty_paths',
    ]) {
      assert.ok(!names.includes(name), name);
    }
  });
});
