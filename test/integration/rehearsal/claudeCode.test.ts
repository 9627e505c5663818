import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'mocha';
import { type Rehearsal, startRehearsal } from '../../../src/rehearsal/startRehearsal.ts';
import { type ClaudeOutcome, type ClaudeRun, runClaude, toolCallsIn } from './runClaude.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

describeWithClaude('Claude Code on the rehearsal server', function () {
  this.timeout(120_000);
  let scratch: string;
  let cwd: string;
  let server: Rehearsal;
  let log: string[];

  beforeEach(async () => {
    log = [];
    server = await startRehearsal({ log: (line) => log.push(line) });
    scratch = await mkdtemp(join(tmpdir(), 'rehearsal-'));
    cwd = await mkdtemp(join(scratch, 'work-'));
  });
  afterEach(async () => {
    await server.close();
    await rm(scratch, { recursive: true, force: true });
  });

  const play = (script: string, more: Partial<ClaudeRun> = {}): Promise<ClaudeOutcome> =>
    runClaude({
      cwd,
      home: scratch,
      baseUrl: server.url,
      prompt: `Please do this.\n\n\`\`\`rehearsal\n${script}\n\`\`\`\n`,
      ...more,
    });
  const file = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8');

  it('writes, reads, edits and runs for real, and ends with what the script says', async () => {
    const { exitCode, messages, result } = await play(
      [
        'write src/hello.txt <<END',
        'It\'s  ünïcödé, "quoted",',
        '\ttabs and \\ backslashes.',
        'END',
        'run: wc -l < src/hello.txt > lines.txt',
        'read src/hello.txt',
        'say: Now the edit.',
        'edit src/hello.txt: tabs => spaces',
        'say: Wrote it.',
      ].join('\n'),
    );
    assert.equal(exitCode, 0);
    assert.equal(result.result, 'Wrote it.');
    assert.deepEqual(toolCallsIn(messages), ['Write', 'Bash', 'Read', 'Edit']);
    assert.equal(
      await file('src/hello.txt'),
      'It\'s  ünïcödé, "quoted",\n\tspaces and \\ backslashes.\n',
    );
    assert.equal((await file('lines.txt')).trim(), '2');
    assert.equal(server.requests(), 5);
  });

  it('goes on after faults that a client retries, with no step done twice', async () => {
    const { result } = await play(
      'status 529 retry-after=1\nrun: echo one >> log.txt\ncut\nrun: echo two >> log.txt\nsay: ok',
    );
    assert.equal(result.result, 'ok');
    assert.equal(await file('log.txt'), 'one\ntwo\n');
    assert.deepEqual(
      log.map((line) => line.replace(/^.*: /, '')),
      ['status', 'Bash', 'cut', 'Bash', 'text'],
    );
  });

  it('has the session compact and go on after one overflow, and end after the second', async () => {
    const once = await play('run: echo one > log.txt\noverflow\nsay: done');
    assert.equal(once.result.result, 'done');
    assert.ok(once.messages.some((message) => message.subtype === 'compact_boundary'));

    const twice = await play('run: echo one > log.txt\noverflow\noverflow\nsay: done');
    assert.equal(twice.exitCode, 1);
    assert.equal(twice.result.is_error, true);
    assert.match(twice.result.result, /Prompt is too long/);
  });

  it('plays the newer script when the session is resumed', async () => {
    const first = await play('write a.txt: one\nsay: first');
    const second = await play('write b.txt: two\nsay: second', {
      args: ['--resume', first.result.session_id],
    });
    assert.equal(second.result.result, 'second');
    assert.deepEqual((await readdir(cwd)).sort(), ['a.txt', 'b.txt']);
    assert.equal(server.requests(), 4);
  });

  it('plays the next round for a resumed session that brings no script', async () => {
    const first = await play(
      'write a.txt: wrong\nsay: first\n---\nread a.txt\nwrite a.txt: right\nsay: repaired',
    );
    assert.equal(await file('a.txt'), 'wrong');
    const second = await play('', {
      prompt: 'The check failed. Repair it.',
      args: ['--resume', first.result.session_id],
    });
    assert.equal(second.result.result, 'repaired');
    assert.equal(await file('a.txt'), 'right');
  });

  it('survives a compaction of the conversation', async () => {
    const { messages, result } = await play(
      [1, 2, 3, 4].map((n) => `run: echo ${n} >> log.txt; seq 1 6000\n`).join('') + 'say: all',
      { env: { CLAUDE_CODE_MAX_CONTEXT_TOKENS: '60000' } },
    );
    assert.ok(messages.some((message) => message.subtype === 'compact_boundary'));
    assert.equal(result.result, 'all');
    assert.equal(await file('log.txt'), '1\n2\n3\n4\n');
  });

  it('says so when the brief has no script', async () => {
    const { result } = await play('', { prompt: 'Write a poem.' });
    assert.match(result.result, /It has no model/);
    assert.deepEqual(await readdir(cwd), []);
  });
});
