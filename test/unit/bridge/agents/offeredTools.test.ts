import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { offeredTools } from '../../../../src/bridge/agents/offeredTools.ts';
import { TOOL_NAMES } from '../../../../src/bridge/runners/loop/tools/toolNames.ts';

const ALL = [...TOOL_NAMES];
const without = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name));

const CASES: readonly [
  tools: string[] | null,
  disallowed: string[],
  isBashOffered: boolean,
  offered: string[],
][] = [
  [null, [], true, ALL],
  [null, [], false, without('run_bash')],
  [null, ['Bash', 'Write'], true, without('run_bash', 'write_file')],
  [['Read', 'Grep'], [], true, ['grep', 'read_file', 'finish']],
  [['Bash(git *)'], [], true, ['run_bash', 'finish']],
  [['Bash'], ['Bash(rm *)'], true, ['run_bash', 'finish']],
  [['Bash'], ['Bash'], true, ['finish']],
  [[], [], true, ['finish']],
  [null, ['finish'], true, ALL],
];

describe('offeredTools', () => {
  for (const [tools, disallowedTools, isBashOffered, offered] of CASES)
    it(JSON.stringify([tools, disallowedTools, isBashOffered]), () =>
      assert.deepEqual(offeredTools({ tools, disallowedTools }, { isBashOffered }), offered),
    );

  it('offers nothing that is forbidden, and nothing that is not allowed', () => {
    const names = fc.array(
      fc.constantFrom('Read', 'Write', 'Edit', 'Bash', 'Grep', 'WebFetch', 'x'),
    );
    const ours: Record<string, string> = {
      read_file: 'Read',
      write_file: 'Write',
      edit_file: 'Edit',
      run_bash: 'Bash',
      grep: 'Grep',
    };
    fc.assert(
      fc.property(fc.option(names), names, (tools, disallowedTools) => {
        for (const tool of offeredTools({ tools, disallowedTools }, { isBashOffered: true })) {
          if (tool === 'finish') continue;
          const name = ours[tool] ?? '';
          assert.ok(!disallowedTools.includes(name), tool);
          assert.ok(tools === null || tools.includes(name), tool);
        }
      }),
    );
  });
});
