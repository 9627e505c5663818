import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { bridgeWorld, script, type BridgeWorld } from '../../support/bridgeWorld.ts';

const models = (format: string): string => `endpoints:
  rehearsal: { base_url: URL, format: ${format}, max_concurrent: 50 }
gates:
  has-two: { run: test "$(cat two.txt)" = two }
`;

const AGENT = `---
name: writer
description: Writes files.
tools: Read, Write
---
You write what you are told to write.
`;

describe('a job of the loop runner', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld({
      models: models('anthropic'),
      files: { 'README.md': 'A project\n', '.claude/agents/writer.md': AGENT },
    });
  });
  after(() => world.dispose());

  for (const format of ['openai', 'anthropic']) {
    it(`${format}: works in its tree and ends with a receipt that says what happened`, async () => {
      world.writeModels(models(format));
      const before = world.repo.fingerprint();
      const record = await world.run({
        runner: 'loop',
        task: script(
          'thinking: first the file',
          'write hello.txt: Hello',
          'run: cat hello.txt',
          'run: exit 3',
          'say: Wrote hello.txt and read it back.',
        ),
      });
      assert.equal(record.status, 'done', JSON.stringify(record.failure));
      assert.equal(record.result, 'Wrote hello.txt and read it back.');
      assert.deepEqual(record.proof, { requests: 4, endpoint: 'rehearsal' });
      assert.equal(record.endpoint, 'rehearsal');
      assert.equal(record.modelServed, 'rehearsal');
      assert.equal(record.turns, 4);
      assert.equal(record.toolCalls, 3);
      assert.deepEqual(record.commands, { run: 2, failed: 1, lastExit: 3 });
      assert.deepEqual(record.filesClaimed, ['hello.txt']);
      assert.deepEqual(
        record.filesChanged.map(({ path, change }) => [path, change]),
        [['hello.txt', 'added']],
      );
      assert.equal(record.network, 'not jailed');
      assert.ok((record.usage.input ?? 0) > 0 && (record.usage.output ?? 0) > 0);
      assert.ok((record.context.used ?? 0) > 0 && (record.context.window ?? 0) > 0);
      assert.equal(record.sessionId, record.id);
      assert.deepEqual(world.repo.fingerprint(), before);

      const lines = world
        .log(record.id, 'requests.jsonl')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      assert.equal(lines.length, 4);
      assert.deepEqual(
        lines.map((line) => line['status']),
        [200, 200, 200, 200],
      );
      const [calls, stop] = format === 'openai' ? ['tool_calls', 'stop'] : ['tool_use', 'end_turn'];
      assert.deepEqual(
        lines.map((line) => line['stop_reason']),
        [calls, calls, calls, stop],
      );
      assert.equal(
        lines[0]?.['path'],
        format === 'openai' ? '/v1/chat/completions' : '/v1/messages',
      );
      for (const line of lines.slice(1))
        assert.equal(line['common_prefix_bytes'], line['prev_bytes']);
      assert.match(
        world.log(record.id, 'transcript.txt'),
        /\[tool\] run_bash .*\n\[result\] exit_code: 0/,
      );
      assert.equal(
        statSync(join(world.repo.stateDir, 'jobs', record.id, 'history.jsonl')).mode & 0o777,
        0o600,
      );
    });
  }

  it('an agent gets its definition and only its tools', async () => {
    const record = await world.run({
      runner: 'loop',
      agent: 'writer',
      task: script('write one.txt: one', 'run: touch two.txt', 'say: never said'),
    });
    assert.deepEqual(record.agent, { name: 'writer', source: 'project-agent' });
    assert.deepEqual(
      record.filesChanged.map(({ path }) => path),
      ['one.txt'],
    );
    assert.match(
      record.result ?? '',
      /needs a tool that this client does not offer \(it offers: .*finish\)/,
    );
    const history = readFileSync(
      join(world.repo.stateDir, 'jobs', record.id, 'history.jsonl'),
      'utf8',
    );
    assert.match(history, /You write what you are told to write/);
  });

  it('read-only: no tool that writes is offered, and the tree is as it was', async () => {
    const record = await world.run({
      runner: 'loop',
      readOnly: true,
      task: script('read README.md', 'say: It says: A project.'),
    });
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.equal(record.result, 'It says: A project.');
    assert.deepEqual(record.filesChanged, []);
    assert.match(world.log(record.id, 'history.jsonl'), /This job is read-only/);
    assert.doesNotMatch(world.log(record.id, 'history.jsonl'), /write_file/);
  });

  it('isolation none works in the checkout itself', async () => {
    const record = await world.run({
      runner: 'loop',
      isolation: 'none',
      task: script('write here.txt: here', 'say: Wrote it.'),
    });
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.equal(world.repo.read('here.txt'), 'here');
    assert.deepEqual(
      record.filesChanged.map(({ path }) => path),
      ['here.txt'],
    );
  });

  it('a red gate is repaired in the same conversation', async () => {
    const record = await world.run({
      runner: 'loop',
      gate: 'has-two',
      repairRounds: 2,
      task: script(
        'write two.txt: one',
        'say: Wrote one.',
        '---',
        'write two.txt: two',
        'say: Mended it.',
      ),
    });
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.equal(record.gate?.status, 'passed');
    assert.equal(record.repairRounds, 1);
    assert.equal(record.result, 'Mended it.');
    assert.equal(record.turns, 4);
    assert.deepEqual(record.proof?.requests, 4);
  });

  it('the turn limit is incomplete, and what was done stays', async () => {
    const record = await world.run({
      runner: 'loop',
      maxTurns: 2,
      task: script('write a.txt: a', 'say: Now b.', 'write b.txt: b', 'say: Wrote both.'),
    });
    assert.equal(record.status, 'failed');
    assert.equal(record.failure?.kind, 'incomplete');
    assert.equal(record.stopReason, 'turn_limit_pending_tools');
    assert.equal(record.result, 'Now b.');
    assert.deepEqual(
      record.filesChanged.map(({ path }) => path),
      ['a.txt'],
    );
  });

  it('max_turns above the hard limit is lowered, and that is said', async () => {
    const record = await world.run({
      runner: 'loop',
      maxTurns: 500,
      task: script('run: true', 'say: ok then.'),
    });
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.ok(record.warnings.some((text) => /lowered from 500 to 40/.test(text)));
  });

  const FAULTS: { name: string; lines: readonly string[]; retries: number }[] = [
    { name: 'overloaded at first', lines: ['status 429 retry-after=0.01'], retries: 1 },
    { name: 'an answer that is cut', lines: ['cut'], retries: 1 },
    { name: 'a page instead of an answer', lines: ['html'], retries: 0 },
    { name: 'a stream whose JSON is broken', lines: ['bad-json'], retries: 1 },
    { name: 'arguments that are no JSON', lines: ['bad-input'], retries: 0 },
  ];
  for (const { name, lines, retries } of FAULTS) {
    for (const format of ['openai', 'anthropic']) {
      it(`${format}: ${name}`, async () => {
        world.writeModels(models(format));
        const record = await world.run({
          runner: 'loop',
          // Faults are played once for each text of a script.
          task: script(`# ${format}`, ...lines, 'write a.txt: a', 'say: Wrote a.'),
        });
        if (name.startsWith('a page')) {
          assert.equal(record.status, 'failed');
          assert.equal(record.failure?.kind, 'backend_error');
          assert.match(record.failure.message, /HTML|web page|html/i);
          return;
        }
        assert.equal(record.status, 'done', JSON.stringify(record.failure));
        assert.equal(record.result, 'Wrote a.');
        assert.equal(record.retry.count, retries);
      });
    }
  }
});
