import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BridgeWorld, bridgeWorld, PERSON, script } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';

const AGENT = `---
name: scribe
description: Writes what it is told.
model: sonnet
---
Write what you are told to write.
`;

describe('profile delegate-local over stdio', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let mcp: McpTestClient;

  before(async () => {
    world = await bridgeWorld({ files: { 'README.md': 'A project\n' } });
    const agents = join(world.repo.home, '.claude', 'agents');
    mkdirSync(agents, { recursive: true });
    writeFileSync(join(agents, 'scribe.md'), AGENT);
    mcp = await McpTestClient.connect(
      world.start('server.cjs', ['--profile', 'delegate-local', '--progress-interval-ms', '100'], {
        CLAUDE_PROJECT_DIR: world.repo.root,
      }),
    );
    await mcp.client.listTools();
  });
  after(async () => {
    assert.equal(await mcp.leave(), 0);
    await world.dispose();
  });

  it('has its tools and no others, and each refuses an unknown argument by the protocol', async () => {
    const { tools } = await mcp.client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      [
        'delegate_to_local_agent',
        'delegate_batch',
        'delegate_to_provider',
        'list_local_agents',
        'local_backend_status',
      ],
    );
    for (const tool of tools) assert.equal(tool.inputSchema['additionalProperties'], false);
    await assert.rejects(
      mcp.call('delegate_to_local_agent', { agent_name: 'a', task: 'x', modle: 1 }),
    );
  });

  it('delegate_to_local_agent works in the folder itself and waits for the end, with progress', async () => {
    const seen: string[] = [];
    const { fields, isError } = await mcp.call(
      'delegate_to_local_agent',
      {
        agent_name: 'scribe',
        task: script('write note.txt: Noted', 'run: exit 3', 'slow 20 tok/s', 'say: Wrote a note.'),
      },
      (message) => seen.push(message),
    );
    assert.equal(isError, false);
    assert.equal(fields['success'], true, JSON.stringify(fields));
    const expected = {
      ok: true,
      final_response: 'Wrote a note.',
      agent_name: 'scribe',
      agent_source: 'global',
      model: 'rehearsal',
      workdir: world.repo.root,
      turns: 3,
      max_turns: 25,
      tool_calls: 2,
      error: null,
      hit_turn_limit: false,
      incomplete: false,
      bash_calls: 1,
      bash_failures: 1,
      last_bash_exit: 3,
      response_model: 'rehearsal',
      fallback_note: null,
      failed_over_from: null,
      files_changed: ['note.txt'],
    };
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(fields[name], value, name);
    assert.ok(fields['tokens_in'] > 0);
    assert.equal(readFileSync(join(world.repo.root, 'note.txt'), 'utf8'), 'Noted');
    assert.ok(seen.length > 0, 'a client without progress cancels');
    const record = world.bridge.job(fields['job_id']);
    assert.deepEqual([record.runner, record.isolation], ['loop', 'none']);
  });

  const endings: [string, Record<string, unknown>, Record<string, unknown>, RegExp][] = [
    [
      'the turn limit: the text so far is there',
      { agent_name: 'scribe', task: script('run: true', 'run: true', 'run: true'), max_turns: 2 },
      { hit_turn_limit: true, incomplete: true, turns: 2, error_kind: 'incomplete', job: true },
      /turn/,
    ],
    [
      'an error of the server after a turn: turns and tokens are there',
      { agent_name: 'scribe', task: script('run: true', 'status 400') },
      { incomplete: false, tool_calls: 1, turn_failed: 2, job: true },
      /400/,
    ],
    [
      'an agent that is not there',
      { agent_name: 'nobody', task: 'x' },
      { error_kind: 'unknown_agent', job: false },
      /scribe/,
    ],
    [
      'a name that is a path',
      { agent_name: '../scribe', task: 'x' },
      { error_kind: 'unknown_agent', job: false },
      /not the name of an agent/,
    ],
    [
      'a folder that is not there',
      { agent_name: 'scribe', task: 'x', workdir: 'no/such' },
      { error_kind: 'bad_argument', job: false },
      /does not exist/,
    ],
    [
      'a model that nobody serves',
      { agent_name: 'scribe', task: 'x', model: 'nope-1' },
      { error_kind: 'model_unavailable', job: true, model: 'nope-1' },
      /nope-1/,
    ],
  ];
  for (const [what, args, expected, text] of endings) {
    it(`${what}: a value with all fields`, async () => {
      const { fields, isError } = await mcp.call('delegate_to_local_agent', args);
      assert.deepEqual([isError, fields['ok'], fields['success']], [false, false, false]);
      assert.match(fields['error'], text);
      for (const [name, value] of Object.entries(expected)) {
        if (name === 'job') assert.equal(fields['job_id'] !== null, value);
        else assert.deepEqual(fields[name], value, name);
      }
      assert.ok('tokens_in' in fields && 'turns' in fields && 'stop_reason' in fields);
    });
  }

  it('delegate_batch: results in order, a bad task is a result', async () => {
    const { fields, isError } = await mcp.call('delegate_batch', {
      tasks: [
        { agent_name: 'scribe', task: script('say: one'), unknown_key: 1 },
        { agent_name: 'scribe', task: '  ' },
        { agent_name: 'scribe', task: 'x', max_turns: 'many' },
        7,
        { agent_name: 'scribe', task: script('say: five') },
      ],
    });
    assert.equal(isError, false);
    assert.deepEqual(
      [fields['success'], fields['batch_size'], fields['successes'], fields['failures']],
      [false, 5, 2, 3],
    );
    const results = fields['results'] as Record<string, unknown>[];
    assert.deepEqual(
      results.map((result) => [result['task_index'], result['success'], result['final_response']]),
      [
        [0, true, 'one'],
        [1, false, null],
        [2, false, null],
        [3, false, null],
        [4, true, 'five'],
      ],
    );
    assert.match(String(results[2]?.['error']), /max_turns/);
    assert.ok(fields['elapsed_s'] > 0);
  });

  it('delegate_batch: empty and too large are values', async () => {
    for (const tasks of [[], Array(13).fill({ agent_name: 'scribe', task: 'x' })]) {
      const { fields } = await mcp.call('delegate_batch', { tasks });
      assert.deepEqual(
        [fields['success'], fields['batch_size'], fields['results']],
        [false, tasks.length, []],
      );
      assert.equal(typeof fields['error'], 'string');
    }
  });

  it('list_local_agents and local_backend_status', async () => {
    const agents = (await mcp.call('list_local_agents')).fields;
    assert.equal(agents['count'], 1);
    assert.equal(agents['agents'][0].name, 'scribe');
    assert.equal(agents['agents'][0].declared_model, 'sonnet');
    assert.ok(existsSync(agents['agents'][0].path));
    const backend = (await mcp.call('local_backend_status')).fields;
    assert.equal(backend['configured_url'], world.rehearsal.url);
    assert.deepEqual(backend['available_models'], ['rehearsal']);
    assert.equal(typeof backend['liveness_ms'], 'number');
  });

  it('a client that leaves loses its answer and not its job', async () => {
    const other = await McpTestClient.connect(
      world.start('server.cjs', ['--profile', 'delegate-local'], {
        CLAUDE_PROJECT_DIR: world.repo.root,
      }),
    );
    const known = new Set(world.bridge.list().map((job) => job.id));
    const call = other.client.callTool({
      name: 'delegate_to_local_agent',
      arguments: { agent_name: 'scribe', task: script('slow 30 tok/s', 'say: Still here.') },
    });
    call.catch(() => undefined);
    const { id } = await world.until('the job', () =>
      world.bridge.list().find((job) => !known.has(job.id)),
    );
    assert.equal(await other.leave(), 0);
    const record = await world.finished(id);
    assert.deepEqual([record.status, record.result], ['done', 'Still here.']);
  });
});

describe('profile delegate-local when all slots are taken', function () {
  this.timeout(60_000);
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld({
      models: 'endpoints:\n  rehearsal: { base_url: URL }\npools:\n  rehearsal: { slots: 1 }\n',
    });
    const agents = join(world.repo.home, '.claude', 'agents');
    mkdirSync(agents, { recursive: true });
    writeFileSync(join(agents, 'scribe.md'), AGENT);
  });
  after(() => world.dispose());

  it('a call gives up its place in the queue after DELEGATE_BATCH_QUEUE_GRACE, and says so', async () => {
    const mcp = await McpTestClient.connect(
      world.start('server.cjs', ['--profile', 'delegate-local'], {
        CLAUDE_PROJECT_DIR: world.repo.root,
        DELEGATE_BATCH_QUEUE_GRACE: '1',
      }),
    );
    const held = await world.bridge.submit(
      { runner: 'loop', isolation: 'none', task: script('hang 60s', 'say: late') },
      PERSON,
      world.repo.root,
    );
    await world.until('the slot to be taken', () => world.bridge.job(held.id).status === 'running');
    const { fields } = await mcp.call('delegate_batch', {
      tasks: [1, 2].map((n) => ({ agent_name: 'scribe', task: script(`say: ${n}`) })),
    });
    for (const result of fields['results'] as Record<string, unknown>[]) {
      assert.deepEqual(
        [result['success'], result['timeout_scope'], result['turns']],
        [false, 'provider_queue', null],
      );
      assert.equal(world.bridge.job(String(result['job_id'])).status, 'cancelled');
    }
    assert.equal(world.bridge.job(held.id).status, 'running');
    await world.bridge.cancel(held.id, PERSON);
    const after = await mcp.call('delegate_to_local_agent', {
      agent_name: 'scribe',
      task: script('say: Free again.'),
    });
    assert.equal(after.fields['final_response'], 'Free again.');
    assert.equal(await mcp.leave(), 0);
  });
});

describe('profile delegate-local from variables alone', function () {
  this.timeout(60_000);
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld({ models: '' });
  });
  after(() => world.dispose());

  it('its quick start needs no file: address, key and model from the environment', async () => {
    const agents = join(world.repo.home, '.claude', 'agents');
    mkdirSync(agents, { recursive: true });
    writeFileSync(join(agents, 'coder.md'), AGENT);
    const mcp = await McpTestClient.connect(
      world.start('server.cjs', ['--profile', 'delegate-local'], {
        CLAUDE_PROJECT_DIR: world.repo.root,
        DELEGATE_LOCAL_URL: `${world.rehearsal.url}/v1/messages`,
        DELEGATE_LOCAL_KEY: 'sk-from-the-environment',
        DELEGATE_LOCAL_MODEL: 'nobody',
        DELEGATE_LOCAL_CODING_MODEL: 'rehearsal',
        DELEGATE_MAX_BATCH_SIZE: 'not a number',
      }),
    );
    const { fields } = await mcp.call('delegate_to_local_agent', {
      agent_name: 'coder',
      task: script('say: Without a file.'),
    });
    assert.equal(fields['success'], true, JSON.stringify(fields));
    assert.deepEqual([fields['final_response'], fields['model']], ['Without a file.', 'rehearsal']);
    const named = await mcp.call('delegate_to_local_agent', {
      agent_name: 'coder',
      task: 'x',
      model: 'nobody',
    });
    assert.equal(named.fields['error_kind'], 'model_unavailable', 'a model that is named stays');
    assert.equal(await mcp.leave(), 0);
  });
});
