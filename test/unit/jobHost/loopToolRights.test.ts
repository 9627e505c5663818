import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loopToolRights } from '../../../src/jobHost/loopToolRights.ts';

const DEFAULTS = {
  allowed_tools: ['Read', 'Edit', 'Write', 'Glob', 'Grep', 'Bash', 'WebFetch'],
  disallowed_tools: ['Agent', 'Task'],
};
type Rights = ReturnType<typeof loopToolRights>;

describe('loopToolRights', () => {
  const table: {
    name: string;
    agent: { tools: string[] | null; disallowedTools: string[] } | null;
    byCall?: string[];
    rights: Rights;
  }[] = [
    {
      name: 'no agent: what the configuration allows',
      agent: null,
      rights: { allowed: DEFAULTS.allowed_tools, disallowed: DEFAULTS.disallowed_tools },
    },
    {
      name: 'the call says',
      agent: null,
      byCall: ['Read'],
      rights: { allowed: ['Read'], disallowed: DEFAULTS.disallowed_tools },
    },
    {
      name: 'an agent without a list',
      agent: { tools: null, disallowedTools: ['Bash'] },
      rights: { allowed: DEFAULTS.allowed_tools, disallowed: ['Agent', 'Task', 'Bash'] },
    },
    {
      name: 'an agent with a list, and what it says of single commands',
      agent: { tools: ['Read', 'Bash(git *)', 'mcp__x__y'], disallowedTools: [] },
      rights: { allowed: ['Read', 'Bash(git *)'], disallowed: ['Agent', 'Task'] },
    },
    {
      name: 'an agent gets nothing that the call does not allow',
      agent: { tools: ['Read', 'Write', 'Bash'], disallowedTools: [] },
      byCall: ['Read', 'run_bash'],
      rights: { allowed: ['Read', 'Bash'], disallowed: ['Agent', 'Task'] },
    },
  ];
  for (const { name, agent, byCall, rights } of table) {
    it(name, () => {
      const request = byCall === undefined ? {} : { allowedTools: byCall };
      assert.deepEqual(loopToolRights({ agent, request, defaults: DEFAULTS }), rights);
    });
  }
});
