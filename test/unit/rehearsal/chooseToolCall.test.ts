import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import claude from '../../fixtures/rehearsal/claude-2.1.332.json' with { type: 'json' };
import codex from '../../fixtures/rehearsal/codex-0.171.json' with { type: 'json' };
import { chooseToolCall, smallestCall } from '../../../src/rehearsal/chooseToolCall.ts';
import type { OfferedTool } from '../../../src/rehearsal/conversation.ts';
import { readMessagesRequest } from '../../../src/rehearsal/readMessagesRequest.ts';
import { readResponsesRequest } from '../../../src/rehearsal/readResponsesRequest.ts';
import type { ToolStep } from '../../../src/rehearsal/script.ts';

const CLAUDE = readMessagesRequest(claude, null).tools;
const CODEX = readResponsesRequest(codex, null).tools;
const APPLY_PATCH: OfferedTool = { name: 'apply_patch', form: 'custom', schema: {} };
const LOOP = [
  tool('read_file', { path: { type: 'string' }, start_line: { type: 'integer' } }, ['path']),
  tool('write_file', { path: { type: 'string' }, content: { type: 'string' } }),
  tool('edit_file', { path: { type: 'string' }, old: { type: 'string' }, new: { type: 'string' } }),
  tool('run_bash', { command: { type: 'string' } }),
];
const OLD_CODEX = [tool('shell', { command: { type: 'array' }, workdir: { type: 'string' } })];

function tool(name: string, properties: Record<string, unknown>, required?: string[]): OfferedTool {
  const schema = { type: 'object', properties, required: required ?? Object.keys(properties) };
  return { name, form: 'function', schema };
}

const WRITE: ToolStep = { kind: 'write', path: 'src/a.txt', content: "it's\n" };
const EDIT: ToolStep = { kind: 'edit', path: 'a.txt', oldText: 'x\n', newText: 'y\nz\n' };
const READ: ToolStep = { kind: 'read', path: 'a.txt' };
const RUN: ToolStep = { kind: 'run', command: 'ls' };

const CASES: [
  client: string,
  tools: readonly OfferedTool[],
  ToolStep,
  name: string,
  input: unknown,
][] = [
  ['Claude Code', CLAUDE, WRITE, 'Write', { file_path: 'src/a.txt', content: "it's\n" }],
  ['Claude Code', CLAUDE, READ, 'Read', { file_path: 'a.txt' }],
  ['Claude Code', CLAUDE, RUN, 'Bash', { command: 'ls' }],
  [
    'Claude Code',
    CLAUDE,
    EDIT,
    'Edit',
    { file_path: 'a.txt', old_string: 'x\n', new_string: 'y\nz\n' },
  ],
  ['the loop runner', LOOP, WRITE, 'write_file', { path: 'src/a.txt', content: "it's\n" }],
  ['the loop runner', LOOP, READ, 'read_file', { path: 'a.txt' }],
  ['the loop runner', LOOP, EDIT, 'edit_file', { path: 'a.txt', old: 'x\n', new: 'y\nz\n' }],
  ['the loop runner', LOOP, RUN, 'run_bash', { command: 'ls' }],
  ['Codex', CODEX, RUN, 'exec_command', { cmd: 'ls' }],
  ['Codex', CODEX, READ, 'exec_command', { cmd: "cat -- 'a.txt'" }],
  [
    'Codex',
    CODEX,
    WRITE,
    'exec_command',
    { cmd: "mkdir -p -- 'src' && printf %s 'it'\\''s\n' > 'src/a.txt'" },
  ],
  [
    'Codex with apply_patch',
    [...CODEX, APPLY_PATCH],
    EDIT,
    'apply_patch',
    '*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n+z\n*** End Patch\n',
  ],
  [
    'Codex with apply_patch',
    [...CODEX, APPLY_PATCH],
    WRITE,
    'apply_patch',
    "*** Begin Patch\n*** Add File: src/a.txt\n+it's\n*** End Patch\n",
  ],
  [
    'a shell that takes words',
    OLD_CODEX,
    RUN,
    'shell',
    { command: ['bash', '-lc', 'ls'], workdir: 'rehearsal' },
  ],
];

describe('chooseToolCall', () => {
  for (const [client, tools, step, name, input] of CASES) {
    it(`gives ${client} ${name} for ${step.kind}`, () => {
      const call = chooseToolCall(step, tools);
      assert.deepEqual({ name: call?.name, input: call?.input }, { name, input });
    });
  }

  it('has no call for a step that no tool can do', () => {
    assert.equal(chooseToolCall(EDIT, CODEX), null);
    assert.equal(chooseToolCall(RUN, [LOOP[0] as OfferedTool]), null);
    assert.equal(chooseToolCall(WRITE, []), null);
  });

  it('does not take a tool of an MCP server for its own', () => {
    assert.equal(chooseToolCall(RUN, [tool('mcp__other__bash', { command: {} })]), null);
  });
});

describe('smallestCall', () => {
  it('fills in what the schema requires and nothing else', () => {
    const wanted = {
      text: { type: 'string' },
      count: { type: 'integer', minimum: 3 },
      unit: { type: 'string', enum: ['metre', 'foot'] },
      list: { type: 'array' },
      is_on: { type: 'boolean' },
      inner: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      optional: { type: 'string' },
    };
    const required = ['text', 'count', 'unit', 'list', 'is_on', 'inner'];
    assert.deepEqual(smallestCall(tool('t', wanted, required)).input, {
      text: 'rehearsal',
      count: 3,
      unit: 'metre',
      list: [],
      is_on: false,
      inner: { a: 1 },
    });
  });
});
