import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { hookCommand } from '../../../../src/bridge/setup/hookCommand.ts';

const SCRIPT = join(import.meta.dirname, '../../../../media/claude-code/prompt-hook.sh');
const LIMIT_MS = 100;

const ASKS = [
  'Delegate this to the local model.',
  'please delegate the parser port',
  'Delegate the tests for `src/range.js` to the local model, gate `tests`.',
  'Can you delegate everything that is dull?',
  'Write the interface yourself, then delegate.',
  'Fix the bug first. After that, delegate the docs to qwen3.8-27b please',
  'delegating the docs is fine with me',
  'Offload the boring tests to a cheaper model',
  'offload this',
  'Hand this to glm-5.2',
  'hand it off to the local model please',
  'pass this to a smaller model',
  "Let's outsource the migration to deepseek",
  'farm this out',
  'Use a local model for the docs',
  'have a local model write the changelog',
  'Run this task locally',
  'run it locally, it must not leave the machine',
  'DELEGATE IT',
  'Line one.\n\nThen delegate the rest.',
  'I\u2019d like you to delegate that',
  '**Delegate** the port of `parse()`',
];

const SILENT = [
  'Fix the off-by-one in range()',
  'Add a delegate method to UITableView',
  'The delegate should call super',
  'Implement the delegate pattern here',
  'delegate this call to the base class',
  'The wrapper delegates to the inner service',
  'Use event delegation for the list',
  'Rename AppDelegate to SceneDelegate',
  'Why does self.delegate = nil crash?',
  'delegate(x) returns nothing',
  'Ruby: `delegate :name, to: :user` does not work',
  'What does `delegate this` do?',
  'Explain this:\n```\ndelegate this to the local model\n```',
  '> please delegate the parser port\n\nThat is what she wrote. Why?',
  'The log says:\n    please delegate the parser port',
  "Don't delegate this",
  'Do it yourself, never use a local model',
  'Offload 35 layers to the GPU',
  'offload the KV cache to cpu',
  'How do I run this locally?',
  'run the tests locally',
  'When I run this locally it fails',
  'Send the request to the model and parse the answer',
  'pass the tensor to the model',
  'Hand me the file',
  'The delegates of the congress met',
  'which local model is best?',
  '/delegate this',
  '<task-notification>please delegate the parser port</task-notification>',
  '!delegate the rest',
  'Call mcp__delegate__list_models and delegate this',
  'delegate wait says done; delegate the next',
  'Look at claude-20261130-080801-abcdefghij and delegate the rest',
  'Ask delegate-relay to delegate this',
  '',
  ' ',
];

function input(prompt: unknown, more: object = {}): string {
  return JSON.stringify({
    session_id: 'a',
    cwd: '/tmp/please delegate this to the local model',
    hook_event_name: 'UserPromptSubmit',
    ...more,
    prompt,
  });
}

function runHook(stdin: string | Buffer): {
  status: number | null;
  stdout: string;
  stderr: string;
} {
  return spawnSync('sh', [SCRIPT], { input: stdin, encoding: 'utf8' });
}

describe('the prompt hook', function () {
  this.timeout(60_000);

  for (const prompt of ASKS) {
    it(`speaks: ${JSON.stringify(prompt)}`, () => {
      const { status, stdout, stderr } = runHook(input(prompt));
      assert.equal(stderr, '');
      assert.equal(status, 0);
      const answer = JSON.parse(stdout) as {
        hookSpecificOutput: { hookEventName: string; additionalContext: string };
      };
      assert.deepEqual(Object.keys(answer), ['hookSpecificOutput']);
      assert.equal(answer.hookSpecificOutput.hookEventName, 'UserPromptSubmit');
      assert.match(answer.hookSpecificOutput.additionalContext, /mcp__delegate__list_models/);
    });
  }

  for (const prompt of SILENT) {
    it(`is silent: ${JSON.stringify(prompt)}`, () => {
      assertSilent(input(prompt));
    });
  }

  const MATCH = 'please delegate the parser port';

  it('reads the field prompt of the outermost object and nothing else', () => {
    const others: readonly string[] = [
      JSON.stringify({ text: MATCH, prompt: 'no' }),
      JSON.stringify({ prompt: 'no', after: MATCH }),
      JSON.stringify({ inner: { prompt: MATCH }, prompt: 'no' }),
      JSON.stringify({ list: [{ prompt: MATCH }], prompt: 'no' }),
      JSON.stringify({ a: 'prompt', b: MATCH, prompt: 'no' }),
      JSON.stringify({ a: '{"prompt":"please delegate the parser port"}', prompt: 'no' }),
      JSON.stringify({ a: '\\', b: `","prompt":"${MATCH}`, prompt: 'no' }),
      JSON.stringify({ prompt: ['please delegate the parser port'] }),
      JSON.stringify(MATCH),
    ];
    for (const text of others) assertSilent(text);
    for (const text of [
      JSON.stringify({ a: { b: [1, { c: '}' }] }, prompt: MATCH }),
      JSON.stringify({ a: 'x\\"\\\\', prompt: MATCH, z: 1 }),
      JSON.stringify({ prompt: MATCH }, null, 2),
    ]) {
      assert.notEqual(runHook(text).stdout, '', text);
    }
  });

  it('ends with 0 and says nothing whatever it is given', () => {
    for (const text of [
      '',
      '{',
      '{"prompt": 3}',
      '{"prompt"',
      '{"prompt":"',
      'null',
      '[]',
      '\u0000',
      '"',
      '\\',
    ]) {
      assertSilent(text);
    }
    assertSilent(Buffer.from([0xff, 0xfe, 0x00, 0x22, 0x5c, 0x01]));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => assertSilent(Buffer.from(bytes))),
      { numRuns: 25 },
    );
  });

  it('says the same sentence for any prompt, or nothing', () => {
    const { stdout } = runHook(input(MATCH));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const said = runHook(input(`${MATCH}\n${text}`));
        assert.equal(said.status, 0);
        assert.ok(['', stdout].includes(said.stdout), said.stdout);
      }),
      { numRuns: 25 },
    );
  });

  it('reads to the end of what is far too long, and finds what stands at its start', () => {
    const paste = 'some "text" with \\ delegate method {[ here\n'.repeat(100_000);
    assertSilent(input(paste));
    const { stdout, status } = runHook(input(`${MATCH}\n\n${paste}`));
    assert.equal(status, 0);
    assert.notEqual(stdout, '');
  });

  it('ends with 0 when nobody reads or writes', async () => {
    const child = spawn('sh', [SCRIPT], { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.destroy();
    child.stdout.destroy();
    assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0);
    const closed = spawnSync('sh', ['-c', `sh '${SCRIPT}' <&- >&-`]);
    assert.equal(closed.status, 0);
  });

  it('is called so that a missing script, shell program or awk stops nobody', () => {
    const command = hookCommand({ stateDir: "/nowhere/it's", platform: 'linux' } as never);
    const missing = spawnSync('sh', ['-c', command], { input: input(MATCH), encoding: 'utf8' });
    assert.deepEqual([missing.status, missing.stdout, missing.stderr], [0, '', '']);
    const bare = spawnSync('/bin/sh', [SCRIPT], {
      input: input(MATCH),
      encoding: 'utf8',
      env: { PATH: '/nowhere' },
    });
    assert.deepEqual([bare.status, bare.stdout], [0, '']);
  });

  it('takes less than 100 ms', () => {
    const times = Array.from({ length: 9 }, () => {
      const start = performance.now();
      runHook(input(MATCH));
      return performance.now() - start;
    }).sort((a, b) => a - b);
    assert.ok((times[4] ?? LIMIT_MS) < LIMIT_MS, `${times[4]} ms`);
  });
});

function assertSilent(stdin: string | Buffer): void {
  const { status, stdout, stderr } = runHook(stdin);
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
}
