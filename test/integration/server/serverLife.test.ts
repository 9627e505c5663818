import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type BridgeWorld, bridgeWorld, DIST, script } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { itWithClaude } from '../../support/withClaude.ts';

describe('MCP server: life, profiles, resources', () => {
  let world: BridgeWorld;

  before(async () => {
    world = await bridgeWorld();
  });
  after(() => world.dispose());

  const refused: [string[], RegExp][] = [
    [
      ['--profile', 'nonsense'],
      /^There is no profile "nonsense"\. The profiles are bridge, ui, localagents, delegate-local\.$/m,
    ],
    [['--http', '127.0.0.1:1'], /--http.* is not part of this version/],
    [['--frobnicate'], /delegate mcp: .*frobnicate/],
  ];
  for (const [args, expected] of refused) {
    it(`${args.join(' ')}: one sentence, exit 1, nothing on stdout`, async () => {
      const child = world.start('server.cjs', args);
      let [out, err] = ['', ''];
      child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number];
      assert.equal(code, 1);
      assert.equal(out, '');
      assert.match(err, expected);
      assert.equal(err.trimEnd().split('\n').length, 1);
    });
  }

  it('a broken models.yaml: every answer says where, and what does not need it goes on', async () => {
    const broken = await bridgeWorld({
      models: 'endpoints:\n  rehearsal: { base_url: URL }\n  bad: [1\n',
    });
    try {
      const mcp = await McpTestClient.connect(broken.start('server.cjs'));
      for (const [name, args] of [
        ['list_jobs', {}],
        ['list_models', {}],
        ['job_status', { job_id: 'nope' }],
      ] as const) {
        const { fields, text } = await mcp.call(name, args);
        assert.equal(fields['config_stale'], true, name);
        const [problem] = fields['problems'];
        assert.equal(problem.file, broken.modelsFile);
        assert.ok(problem.line >= 3 && problem.column >= 1, JSON.stringify(problem));
        assert.match(text, /models\.yaml/);
      }
      assert.equal((await mcp.call('list_jobs')).fields['ok'], true);
      assert.equal(await mcp.leave(), 0);
    } finally {
      await broken.dispose();
    }
  });

  it('leaves at SIGTERM and SIGINT with exit code 0', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const mcp = await McpTestClient.connect(world.start('server.cjs'));
      await mcp.call('list_jobs');
      mcp.child.kill(signal);
      assert.equal(await mcp.exited, 0, signal);
      mcp.purity.check();
    }
  });

  for (const [bundle, args] of [
    ['server.cjs', []],
    ['cli.cjs', ['mcp']],
  ] as const) {
    it(`${[bundle, ...args].join(' ')} leaves in good order when nobody reads its stdout`, async () => {
      const mcp = await McpTestClient.connect(world.start(bundle, args));
      await mcp.call('list_jobs');
      mcp.child.stdout?.destroy();
      mcp.child.stdin?.write(
        '{"jsonrpc":"2.0","id":99,"method":"ping"}\n{"jsonrpc":"2.0","id":100,"method":"ping"}\n',
      );
      assert.equal(await mcp.exited, 0);
      assert.match(mcp.stderr, /leaves: nobody reads stdout/);
    });
  }

  it('leaves when its parent is gone although stdin stays open', async () => {
    const program = `
      const { spawn } = require('node:child_process');
      const server = spawn(process.execPath, [process.argv[1]], { stdio: ['inherit', 'inherit', 'ignore'] });
      process.stderr.write(String(server.pid) + '\\n');
      setInterval(() => {}, 1000);`;
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    // Its stdout is the server's stdin: a pipe of the test itself would end with the parent.
    const holder = spawn(
      process.execPath,
      ['-e', `process.stdout.write(${JSON.stringify(ping)} + '\\n'); setInterval(() => {}, 1000);`],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const parent = spawn(process.execPath, ['-e', program, join(DIST, 'server.cjs')], {
      env: world.env,
      stdio: [holder.stdout, 'pipe', 'pipe'],
    });
    try {
      const answered = once(parent.stdout, 'data');
      const [line] = (await once(parent.stderr, 'data')) as [Buffer];
      const pid = Number(line.toString());
      await answered; // it is up
      parent.kill('SIGKILL');
      await world.until('the end of the server', () => !isAlive(pid), 20_000);
      assert.equal(holder.exitCode, null, 'its stdin was open all the time');
    } finally {
      parent.kill('SIGKILL');
      holder.kill('SIGKILL');
    }
  });

  itWithClaude('a job outlives the server and the client that asked for it', async () => {
    const mcp = await McpTestClient.connect(world.start('server.cjs'));
    const { fields } = await mcp.call('run_agent', {
      task: script('hang 2s', 'write late.txt: x', 'say: late'),
    });
    mcp.child.kill('SIGKILL');
    await mcp.exited;
    const end = await world.finished(fields['job'].id as string);
    assert.equal(end.status, 'done', JSON.stringify(end.failure));
  });

  it('--restricted offers what looks and refuses the rest as a value', async () => {
    const mcp = await McpTestClient.connect(
      world.start('server.cjs', ['--profile', 'ui', '--restricted']),
    );
    const { tools } = await mcp.client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      [
        'list_models',
        'list_agents',
        'explain_route',
        'wait_jobs',
        'job_status',
        'job_log',
        'job_diff',
        'list_jobs',
        'secret_names',
        'job_feed',
        'read_log',
        'review_job',
        'review_file',
        'merge_inputs',
        'doctor',
        'slot_use',
        'delegate_facts',
        'config_facts',
        'check_agents',
        'import_sources',
        'import_config',
      ],
    );
    const { fields, isError } = await mcp.call('run_agent', { task: 'x' });
    assert.equal(isError, true);
    assert.equal(fields['error'].kind, 'restricted');
    assert.equal((await mcp.call('list_jobs')).fields['ok'], true);
    const models = (await mcp.call('list_models')).fields;
    assert.match(models['provenance'], /restricted mode: no endpoint was asked/);
    assert.deepEqual(
      [models['is_probed'], models['endpoints'], models['configured']],
      [false, [], ['rehearsal']],
      'an endpoint that was not asked is no missing endpoint',
    );
    assert.equal(await mcp.leave(), 0);
  });

  itWithClaude('the ui profile has what a person needs, in the name of a person', async () => {
    const mcp = await McpTestClient.connect(world.start('server.cjs', ['--profile', 'ui']), {
      name: 'delegation-bridge-vscode',
    });
    const { tools } = await mcp.client.listTools();
    for (const name of [
      'undo_accept',
      'restore_job',
      'abandon_job',
      'run_gate',
      'trust',
      'set_secret',
      'gc',
      'dirty_paths',
    ]) {
      assert.ok(
        tools.some((tool) => tool.name === name),
        name,
      );
    }
    const run = await mcp.call('run_agent', {
      task: script('write x.txt: 1', 'say: ok'),
      wait_s: 90,
    });
    assert.equal(run.fields['job'].status, 'done', run.text);
    const rejected = await mcp.call('reject_job', { job_id: run.fields['job'].id });
    assert.equal(rejected.fields['job'].review.by, 'person:vscode');
    const restored = await mcp.call('restore_job', { job_id: run.fields['job'].id });
    assert.equal(restored.fields['job'].review.status, 'pending');
    assert.deepEqual(
      (await mcp.call('set_secret', { name: 'key', value: 'hidden-value-1' })).fields['names'],
      ['key'],
    );
    assert.equal(
      (await mcp.call('dirty_paths', { window: 'w', paths: ['/a'] })).fields['count'],
      1,
    );
    assert.equal((await mcp.call('gc', { dry_run: true })).fields['ok'], true);
    const trust = await mcp.call('trust', { path: world.repo.root });
    assert.equal(trust.isError, true, 'there is no models.yaml in the folder');
    assert.equal(await mcp.leave(), 0);
    assert.doesNotMatch(mcp.purity.lines.join('\n') + mcp.stderr, /hidden-value-1/);
  });

  itWithClaude('the localagents profile speaks as localagents does', async () => {
    const mcp = await McpTestClient.connect(
      world.start('server.cjs', ['--profile', 'localagents']),
    );
    const { tools } = await mcp.client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), [
      'cancel_job',
      'job_log',
      'job_status',
      'list_jobs',
      'list_models',
      'local_complete',
      'register_endpoint',
      'run_agent',
      'wait_job',
      'wait_jobs',
    ]);
    const unknown = await mcp.call('wait_job', { job_id: 'x' });
    assert.equal(unknown.fields['error'], 'unknown_job');
    assert.equal(typeof unknown.fields['message'], 'string');
    const models = await mcp.call('list_models');
    assert.equal(models.fields['endpoints'].rehearsal.up, true);
    assert.deepEqual(models.fields['endpoints'].rehearsal.models, ['rehearsal']);
    const run = await mcp.call('run_agent', {
      task: script('write y.txt: 1', 'say: ok'),
      wait_s: 90,
    });
    assert.equal(run.fields['status'], 'succeeded', run.text);
    assert.equal(run.fields['isolation'], 'none');
    assert.equal(run.fields['model'], 'rehearsal');
    assert.deepEqual(run.fields['files_touched'], ['y.txt']);
    assert.equal(typeof run.fields['created_at'], 'number');
    const listed = await mcp.call('list_jobs', { include_finished: true });
    assert.ok(listed.fields['jobs'].length >= 1);
    assert.ok(listed.fields['jobs'].every((job: object) => !('result' in job)));
    const complete = await mcp.call('local_complete', { prompt: script('say: hello') });
    assert.equal(complete.fields['text'], 'hello', complete.text);
    assert.match(complete.text, /^Answered by rehearsal at rehearsal/);
    assert.equal(await mcp.leave(), 0);
  });

  itWithClaude('resources, subscriptions, prompts and completion', async () => {
    const mcp = await McpTestClient.connect(world.start('server.cjs'));
    const { client } = mcp;
    const updated: string[] = [];
    const { ResourceUpdatedNotificationSchema } =
      await import('@modelcontextprotocol/sdk/types.js');
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updated.push(params.uri);
    });
    await client.subscribeResource({ uri: 'delegate://jobs' });
    const job = await world.run({ task: script('write z.txt: 1', 'say: ok') });
    await world.until('a notification', () => updated.includes('delegate://jobs'));
    assert.ok(
      updated.every((uri) => uri === 'delegate://jobs'),
      'only what was subscribed to',
    );
    await client.unsubscribeResource({ uri: 'delegate://jobs' });

    const read = async (uri: string): Promise<string> => {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && 'text' in content ? content.text : '';
    };
    const rows = JSON.parse(await read('delegate://jobs')) as { id: string }[];
    assert.ok(rows.some((row) => row.id === job.id));
    assert.equal(JSON.parse(await read(`delegate://jobs/${job.id}`)).status, 'done');
    assert.match(await read(`delegate://jobs/${job.id}/transcript`), /\[assistant\] ok/);
    assert.match(await read(`delegate://jobs/${job.id}/diff`), /z\.txt/);
    assert.equal(JSON.parse(await read('delegate://endpoints'))[0].name, 'rehearsal');
    assert.equal(JSON.parse(await read('delegate://pools'))[0].name, 'default');
    assert.ok(
      (JSON.parse(await read('delegate://ledger')) as { id: string }[]).some(
        (row) => row.id === job.id,
      ),
    );
    assert.ok(
      (await client.listResources()).resources.some(
        (resource) => resource.uri === `delegate://jobs/${job.id}`,
      ),
    );
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 3);
    await assert.rejects(read('delegate://jobs/nope'), /no job/i);
    await assert.rejects(read('file:///etc/passwd'), /no resource/i);
    await assert.rejects(client.subscribeResource({ uri: 'delegate://nothing' }), /no resource/i);

    assert.deepEqual(
      (await client.listPrompts()).prompts.map((prompt) => prompt.name),
      ['delegate', 'review-job'],
    );
    const { messages } = await client.getPrompt({
      name: 'delegate',
      arguments: { task: 'Fix it', model: 'm1' },
    });
    assert.match(JSON.stringify(messages), /Fix it/);
    await assert.rejects(client.getPrompt({ name: 'review-job' }), /job_id/);
    const complete = async (name: string, value: string): Promise<string[]> =>
      (
        await client.complete({
          ref: { type: 'ref/prompt', name: 'delegate' },
          argument: { name, value },
        })
      ).completion.values;
    assert.deepEqual(await complete('model', 'reh'), ['rehearsal']);
    assert.deepEqual(await complete('endpoint', ''), ['rehearsal']);
    assert.deepEqual(await complete('gate', ''), []);
    assert.ok((await complete('job_id', '')).includes(job.id));
    assert.equal(await mcp.leave(), 0);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
