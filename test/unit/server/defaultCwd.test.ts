import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { defaultCwd } from '../../../src/server/defaultCwd.ts';

describe('defaultCwd', () => {
  const cases: [string, NodeJS.ProcessEnv, string[] | Error, string][] = [
    ['the project of Claude Code', { CLAUDE_PROJECT_DIR: '/claude' }, ['file:///root'], '/claude'],
    ['the first root', {}, ['file:///a%20b', 'file:///c'], '/a b'],
    ['an empty variable is none', { CLAUDE_PROJECT_DIR: '' }, ['file:///r'], '/r'],
    ['no roots', {}, [], '/server'],
    ['a root that is no folder here', {}, ['https://example.com/x'], '/server'],
    ['a root with a host', {}, ['file://elsewhere/x'], '/server'],
    ['a client that does not answer', {}, new Error('timeout'), '/server'],
  ];
  for (const [name, env, roots, expected] of cases) {
    it(name, async () => {
      const errors: unknown[] = [];
      const cwd = await defaultCwd({
        env,
        listRoots: async () => {
          if (roots instanceof Error) throw roots;
          return roots;
        },
        processCwd: () => '/server',
        onError: (error) => errors.push(error),
      });
      assert.equal(cwd, expected);
      assert.equal(errors.length, roots instanceof Error ? 1 : 0);
    });
  }
});
