import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { TOOL_NAMES } from '../../../../../../src/bridge/runners/loop/tools/toolNames.ts';
import { toolFolder, type ToolFolder } from './toolBoxFixture.ts';

const NEVER = new AbortController().signal;

describe('the tool box', () => {
  let folder: ToolFolder;
  before(() => {
    folder = toolFolder({ 'a.txt': 'one\n', 'secret/.env': 'KEY=1\n', '.env': 'KEY=2\n' });
  });
  after(() => folder.dispose());

  it('tells of its tools in the same bytes for every job with the same rights', () => {
    const other = toolFolder();
    try {
      const specs = folder.box().specs;
      assert.deepEqual(
        specs.map((spec) => spec.name),
        TOOL_NAMES,
      );
      assert.equal(JSON.stringify(specs), JSON.stringify(other.box().specs));
      assert.equal(JSON.stringify(specs).includes(folder.scratch), false);
    } finally {
      other.dispose();
    }
  });

  it('describes each parameter, and requires only what it describes', () => {
    for (const { name, description, inputSchema } of folder.box().specs) {
      const { type, properties, required } = inputSchema as {
        type: string;
        properties: Record<string, { type: string; description: string }>;
        required: string[];
      };
      assert.equal(type, 'object', name);
      assert.ok(description.length > 20);
      for (const each of required) assert.ok(each in properties, `${name} ${each}`);
      for (const each of Object.values(properties)) assert.ok(each.description.length > 5);
    }
  });

  const refused: readonly [string, Parameters<ToolFolder['box']>[0], string, Record<string, unknown>, RegExp][] = [
    ['an unknown tool', {}, 'web_fetch', {}, /^There is no tool "web_fetch"\. The tools are: list_dir, glob/],
    ['a name of every object', {}, 'constructor', {}, /^There is no tool "constructor"/],
    ['writing in a read-only job', { isReadOnly: true }, 'write_file', { path: 'x', content: '' }, /read-only\. The tools are: list_dir, glob, grep, read_file, finish\.$/],
    ['a command in a read-only job', { isReadOnly: true }, 'run_bash', { command: 'touch x' }, /read-only/],
    ['a command where the shell is off', { settings: { bash: false } }, 'run_bash', { command: 'touch x' }, /switched off/],
    ['what the agent has not', { allowed: ['Read'] }, 'edit_file', {}, /not among the tools of this agent/],
    ['what is forbidden', { disallowed: ['Write'] }, 'write_file', { path: 'x', content: '' }, /forbidden to this agent/],
    ['a forbidden path', { disallowed: ['Read(.env)'] }, 'read_file', { path: 'secret/.env' }, /forbidden to this agent \(\.env\)/],
    ['a forbidden command', { disallowed: ['Bash(touch *)'] }, 'run_bash', { command: 'touch x' }, /forbidden to this agent \(touch \*\)/],
    ['an empty command', {}, 'run_bash', { command: ' ' }, /command is empty/],
    ['a command with a NUL', {}, 'run_bash', { command: 'a\0b' }, /NUL/],
    ['a command that no kernel takes', {}, 'run_bash', { command: `: ${'x'.repeat(200_000)}` }, /write it to a file/],
    ['an empty report', {}, 'finish', { report: ' ' }, /report is empty/],
    ['no report', {}, 'finish', {}, /needs "report"/],
  ]; // prettier-ignore
  for (const [title, options, name, input, text] of refused) {
    it(`refuses ${title}`, async () => {
      const outcome = await folder.call(name, input, options);
      assert.match(outcome.text, text);
      assert.equal(outcome.isError, true);
      assert.equal(existsSync(folder.path('x')), false);
    });
  }

  it('knows its tools by the names of Claude Code', async () => {
    assert.equal(
      (await folder.call('Read', { file_path: 'a.txt' })).text.endsWith('\n1\tone'),
      true,
    );
    assert.equal((await folder.call('LS', {})).isError, false);
  });

  it('a search leaves out what may not be read, and says so', async () => {
    const { text } = await folder.call(
      'grep',
      { pattern: 'KEY' },
      { disallowed: ['Read(./.env)'] },
    );
    assert.equal(text, '[1 line in 1 file | 1 file kept from this agent]\nsecret/.env:1: KEY=1');
  });

  it('takes a report', async () => {
    assert.deepEqual(await folder.call('finish', { report: 'Done.' }), {
      text: 'OK: the work has ended.',
      isError: false,
    });
  });

  it('rejects only when it is stopped', async () => {
    const stopped = AbortSignal.abort(new Error('cancelled'));
    for (const name of TOOL_NAMES) {
      await assert.rejects(folder.box().call(name, {}, stopped), /cancelled/);
    }
  });

  it('answers any arguments in words that name no path of this machine', async () => {
    const value = fc.oneof(
      fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.object(),
      fc.constantFrom('a.txt', '.', '..', '/', 'a.txt/', '\0', '*', '(', '[', '{', '\\', '~', 'x'.repeat(5000)),
    ); // prettier-ignore
    const key = fc.constantFrom(
      'path',
      'pattern',
      'glob',
      'offset',
      'limit',
      'column',
      'literal',
      'files_only',
      'old_string',
      'new_string',
      'replace_all',
      'report',
      'file_path',
    );
    const name = fc.constantFrom(
      'list_dir',
      'glob',
      'grep',
      'read_file',
      'edit_file',
      'finish',
      'nope',
    );
    const box = folder.box();
    await fc.assert(
      fc.asyncProperty(name, fc.dictionary(key, value, { maxKeys: 5 }), async (tool, input) => {
        const { text } = await box.call(tool, input, NEVER);
        assert.ok(text.length > 0);
        assert.equal(text.includes(folder.scratch), false, text);
      }),
      { numRuns: 500 },
    );
  });
});
