import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  loopToolsOf,
  TOOL_NAMES,
  toolRulesOf,
} from '../../../../../../src/bridge/runners/loop/tools/toolNames.ts';

describe('names of tools in agent files', () => {
  const table: readonly [string, readonly string[], readonly string[], readonly string[]][] = [
    ['nothing', [], [], []],
    ['Claude Code', ['Read', 'Grep', 'LS'], ['list_dir', 'grep', 'read_file'], []],
    ['any case', ['READ', 'bAsH', 'Run_Bash'], ['read_file', 'run_bash'], []],
    ['two names of one tool', ['Edit', 'MultiEdit', 'edit_file'], ['edit_file'], []],
    ['a pattern', ['Bash(git *)', 'Bash(npm run test:*)'], ['run_bash'], []],
    ['a pattern with a bracket in it', ['Bash(echo (x))'], ['run_bash'], []],
    ['all', ['*'], TOOL_NAMES, []],
    ['spaces around', ['  Write ', ''], ['write_file'], []],
    ['strangers', ['WebFetch', 'Read', 'mcp__x__y'], ['read_file'], ['WebFetch', 'mcp__x__y']],
    ['a stranger with a pattern', ['WebFetch(domain:x)'], [], ['WebFetch(domain:x)']],
    ['names of every object', ['constructor', '__proto__'], [], ['constructor', '__proto__']],
  ];
  for (const [title, names, tools, unknown] of table) {
    it(title, () => assert.deepEqual(loopToolsOf(names), { tools: [...tools], unknown }));
  }

  it('keeps the pattern of a rule, and takes a bare star for none', () => {
    assert.deepEqual(toolRulesOf(['Bash( git * )', 'Bash(*)', 'Bash()', 'Read(src/**)']).rules, [
      { tool: 'run_bash', pattern: 'git *' },
      { tool: 'run_bash', pattern: null },
      { tool: 'run_bash', pattern: null },
      { tool: 'read_file', pattern: 'src/**' },
    ]);
  });

  it('every entry is a rule or unknown, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        const { rules, unknown } = toolRulesOf(names);
        const stars = names.filter((name) => name.trim() === '*').length;
        const blank = names.filter((name) => name.trim() === '').length;
        assert.equal(
          rules.length - stars * TOOL_NAMES.length + unknown.length,
          names.length - stars - blank,
        );
      }),
    );
  });
});
