import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  TOOL_NAMES,
  type ToolName,
} from '../../../../../../src/bridge/runners/loop/tools/toolNames.ts';
import {
  toolRights,
  type RightsAsked,
} from '../../../../../../src/bridge/runners/loop/tools/toolRights.ts';

const LOOKING = ['list_dir', 'glob', 'grep', 'read_file'] as const;
const asked = (some: Partial<RightsAsked>): RightsAsked => ({
  isReadOnly: false,
  hasShell: true,
  allowed: null,
  disallowed: [],
  ...some,
});

describe('rights of a job', () => {
  const table: readonly [string, Partial<RightsAsked>, readonly string[]][] = [
    ['all', {}, TOOL_NAMES],
    ['read-only', { isReadOnly: true }, [...LOOKING, 'finish']],
    ['read-only, whatever the agent file says', { isReadOnly: true, allowed: ['Write', 'Bash'] }, [...LOOKING, 'finish']],
    ['some, and those that look', { allowed: ['Write'] }, [...LOOKING, 'write_file', 'finish']],
    ['none that we have', { allowed: ['WebFetch'] }, [...LOOKING, 'finish']],
    ['an empty list', { allowed: [] }, [...LOOKING, 'finish']],
    ['no shell', { hasShell: false }, [...LOOKING, 'write_file', 'edit_file', 'finish']],
    ['forbidden ones', { disallowed: ['Bash', 'Grep'] }, ['list_dir', 'glob', 'read_file', 'write_file', 'edit_file', 'finish']],
    ['forbidden wins', { allowed: ['Bash', 'Edit'], disallowed: ['bash'] }, [...LOOKING, 'edit_file', 'finish']],
    ['everything forbidden but the end', { disallowed: ['*'] }, ['finish']],
    ['a forbidden pattern forbids no tool', { disallowed: ['Bash(rm *)'] }, TOOL_NAMES],
    ['a pattern', { allowed: ['Bash(git *)'] }, [...LOOKING, 'run_bash', 'finish']],
  ]; // prettier-ignore
  for (const [title, some, names] of table) {
    it(title, () => assert.deepEqual(toolRights(asked(some)).offered, names));
  }

  it('a read-only job never has a tool that writes, a forbidden tool is never offered, and a reason is there for each', () => {
    const name = fc.constantFrom(
      'Read',
      'Write',
      'Edit',
      'Bash',
      'Bash(git *)',
      'Grep',
      '*',
      'run_bash',
      'X',
    );
    const names = fc.array(name, { maxLength: 5 });
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        fc.option(names),
        names,
        (isReadOnly, hasShell, allowed, disallowed) => {
          const rights = toolRights({ isReadOnly, hasShell, allowed, disallowed });
          for (const tool of TOOL_NAMES) {
            const isOffered = rights.offered.includes(tool);
            assert.equal(rights.notOffered(tool) === null, isOffered);
            if (isReadOnly && ['write_file', 'edit_file', 'run_bash'].includes(tool))
              assert.equal(isOffered, false);
            if (disallowed.includes('*') && tool !== 'finish') assert.equal(isOffered, false);
          }
          assert.ok(rights.offered.includes('finish'));
          if (!hasShell || disallowed.includes('Bash'))
            assert.ok(!rights.offered.includes('run_bash'));
        },
      ),
    );
  });

  const calls: readonly [Partial<RightsAsked>, ToolName, string, boolean][] = [
    [{ allowed: ['Bash(git *)'] }, 'run_bash', 'git status', true],
    [{ allowed: ['Bash(git *)'] }, 'run_bash', 'git', true],
    [{ allowed: ['Bash(git *)'] }, 'run_bash', 'gitk', false],
    [{ allowed: ['Bash(git:*)'] }, 'run_bash', 'git log -3', true],
    [{ allowed: ['Bash(git *)', 'Bash(npm test)'] }, 'run_bash', 'git add . && npm test 2>&1', true],
    [{ allowed: ['Bash(git *)', 'Bash(npm test)'] }, 'run_bash', 'npm test -- x', false],
    [{ allowed: ['Bash(git *, npm *)'] }, 'run_bash', 'npm ci', true],
    [{ allowed: ['Bash(git *)'] }, 'run_bash', 'git status; rm -rf x', false],
    [{ allowed: ['Bash(git *)'] }, 'run_bash', 'git status | sh', false],
    [{ allowed: ['Bash(git *)'] }, 'run_bash', 'git status\nrm x', false],
    [{ allowed: ['Bash(git *)'] }, 'run_bash', 'git log $(rm x)', false],
    [{ allowed: ['Bash(git *)'] }, 'run_bash', 'git log `rm x`', false],
    [{ allowed: ['Bash(git *)'] }, 'run_bash', 'git log > x', false],
    [{ allowed: ['Bash(git *)'] }, 'run_bash', 'git log 2>/dev/null', true],
    [{ allowed: ['Bash(git *)', 'Bash'] }, 'run_bash', 'rm x', true],
    [{ disallowed: ['Bash(rm *)'] }, 'run_bash', 'ls', true],
    [{ disallowed: ['Bash(rm *)'] }, 'run_bash', 'rm -rf x', false],
    [{ disallowed: ['Bash(rm *)'] }, 'run_bash', 'ls && FOO=1 rm x', false],
    [{ disallowed: ['Bash(rm *)'] }, 'run_bash', 'echo $(rm x)', false],
    [{ disallowed: ['Bash(rm *)'] }, 'run_bash', 'echo `rm x`', false],
    [{ disallowed: ['Bash(git push:*)'] }, 'run_bash', 'git push', false],
    [{ disallowed: ['Bash(git push:*)'] }, 'run_bash', 'git pull', true],
    [{ allowed: ['Edit(docs/**)'] }, 'edit_file', 'docs/a/b.md', true],
    [{ allowed: ['Edit(docs/**)'] }, 'edit_file', 'src/a.ts', false],
    [{ allowed: ['Edit(/docs/**)', 'Edit(*.{md,txt})'] }, 'edit_file', 'src/a.txt', true],
    [{ disallowed: ['Edit(docs/**)'] }, 'write_file', 'docs/a', false],
    [{ disallowed: ['Read(./.env)'] }, 'read_file', '.env', false],
    [{ disallowed: ['Read(./.env)'] }, 'grep', '.env', false],
    [{ disallowed: ['Read(./.env)'] }, 'read_file', 'sub/.env', true],
    [{ disallowed: ['Read(.env)'] }, 'read_file', 'sub/.env', false],
    [{ disallowed: ['Read(//etc/**)', 'Read(~/x)'] }, 'read_file', 'etc/x', true],
    [{ allowed: ['Read(src/**)'] }, 'read_file', 'docs/x', true],
  ]; // prettier-ignore
  for (const [some, tool, subject, isAllowed] of calls) {
    it(`${JSON.stringify(some)}: ${tool} ${JSON.stringify(subject)} is ${isAllowed ? 'allowed' : 'refused'}`, () => {
      const rights = toolRights(asked(some));
      assert.equal(rights.notOffered(tool), null);
      assert.equal(rights.refusal(tool, subject) === null, isAllowed);
    });
  }

  it('a command that some pattern does not cover is never allowed, however commands are joined', () => {
    const good = fc.constantFrom('git status', 'git log -3', 'git');
    const bad = fc.constantFrom('rm x', 'gitx', 'sh -c "git"', '/bin/git');
    const joint = fc.constantFrom(';', '&&', '||', '|', '&', '\n', ' ; ', '|&');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(good, joint), { maxLength: 3 }),
        bad,
        fc.array(fc.tuple(joint, good), { maxLength: 3 }),
        (before, middle, after) => {
          const line = [...before.flat(), middle, ...after.flat()].join('');
          const rights = toolRights(
            asked({ allowed: ['Bash(git *)'], disallowed: ['Bash(rm *)'] }),
          );
          assert.notEqual(rights.refusal('run_bash', line), null, line);
        },
      ),
    );
  });
});
