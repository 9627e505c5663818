import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { offeredTools } from '../../../../src/bridge/agents/offeredTools.ts';
import { TOOL_NAMES } from '../../../../src/bridge/runners/loop/tools/toolNames.ts';
import { toolRights } from '../../../../src/bridge/runners/loop/tools/toolRights.ts';
import { modelsFileSchema, type ModelsFile } from '../../../../src/config/schema.ts';
import { loopToolRights } from '../../../../src/jobHost/loopToolRights.ts';

const ALL = [...TOOL_NAMES];
const without = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name));
const LOOK = ['list_dir', 'glob', 'grep', 'read_file', 'finish'];

const CASES: readonly [
  tools: string[] | null,
  disallowed: string[],
  file: ModelsFile,
  offered: string[],
][] = [
  [null, [], {}, ALL],
  [null, [], { runners: { loop: { bash: false } } }, without('run_bash')],
  [null, ['Bash', 'Write'], {}, without('run_bash', 'write_file')],
  [['Read', 'Grep'], [], {}, LOOK],
  [['Bash(git *)'], [], {}, [...LOOK.slice(0, 4), 'run_bash', 'finish']],
  [['Bash'], ['Bash(rm *)'], {}, [...LOOK.slice(0, 4), 'run_bash', 'finish']],
  [['Bash'], ['Bash'], {}, LOOK],
  [
    ['Bash', 'Write'],
    [],
    { defaults: { allowed_tools: ['Read', 'Bash'] } },
    [...LOOK.slice(0, 4), 'run_bash', 'finish'],
  ],
  [null, [], { defaults: { disallowed_tools: ['Bash'] } }, without('run_bash')],
  [[], [], {}, LOOK],
  [null, ['*'], {}, ['finish']],
];

describe('offeredTools', () => {
  for (const [tools, disallowedTools, file, offered] of CASES) {
    it(JSON.stringify([tools, disallowedTools, file]), () =>
      assert.deepEqual(
        offeredTools({ tools, disallowedTools }, modelsFileSchema.parse(file)),
        offered,
      ),
    );
  }

  it('says what the job host really offers', () => {
    const names = fc.array(
      fc.constantFrom('Read', 'Write', 'Edit', 'Bash', 'Bash(git *)', 'Grep', 'WebFetch', '*', 'x'),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(
        fc.option(names),
        names,
        names,
        names,
        fc.boolean(),
        (tools, disallowedTools, allowed_tools, disallowed_tools, bash) => {
          const config = modelsFileSchema.parse({
            defaults: { allowed_tools, disallowed_tools },
            runners: { loop: { bash } },
          });
          const agent = { tools, disallowedTools };
          const rights = loopToolRights({ agent, request: {}, defaults: config.defaults });
          const real = toolRights({ isReadOnly: false, hasShell: bash, ...rights }).offered;
          assert.deepEqual(offeredTools(agent, config), real);
        },
      ),
    );
  });
});
