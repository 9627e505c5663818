import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BridgeWorld, bridgeWorld, script } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { itWithClaude } from '../../support/withClaude.ts';

const GATED = `endpoints:
  rehearsal: { base_url: URL, max_concurrent: 50 }
gates:
  tests: { run: test -f new.txt }
`;

describe('MCP server: tools over stdio', () => {
  let world: BridgeWorld;
  let mcp: McpTestClient;

  before(async () => {
    world = await bridgeWorld({ models: GATED });
    mcp = await McpTestClient.connect(
      world.start('server.cjs', [], { CLAUDE_PROJECT_DIR: world.repo.root }),
    );
    await mcp.client.listTools(); // from here on the client checks each answer against the tool's output schema
  });

  after(async () => {
    assert.equal(await mcp.leave(), 0);
    await world.dispose();
  });

  it('lists the tools with title, schemas and annotations', async () => {
    const { tools } = await mcp.client.listTools();
    assert.deepEqual(
      tools.map((tool) => [
        tool.name,
        tool.annotations?.readOnlyHint,
        tool.annotations?.destructiveHint,
      ]),
      [
        ['list_models', true, false],
        ['list_agents', true, false],
        ['explain_route', true, false],
        ['run_agent', false, false],
        ['run_batch', false, false],
        ['wait_jobs', true, false],
        ['job_status', true, false],
        ['job_log', true, false],
        ['job_diff', true, false],
        ['list_jobs', true, false],
        ['cancel_job', false, true],
        ['accept_job', false, true],
        ['reject_job', false, true],
        ['register_endpoint', false, false],
      ],
    );
    for (const tool of tools) {
      assert.ok(tool.title, `${tool.name} has no title`);
      assert.equal(
        tool.inputSchema['additionalProperties'],
        false,
        `${tool.name} takes unknown arguments`,
      );
      assert.ok(
        tool.outputSchema?.properties?.['provenance'],
        `${tool.name} has no provenance in its schema`,
      );
    }
  });

  const unknownJob: [string, Record<string, unknown>][] = [
    ['job_status', { job_id: 'nope' }],
    ['job_log', { job_id: 'nope' }],
    ['job_diff', { job_id: 'nope' }],
    ['cancel_job', { job_id: 'nope' }],
    ['accept_job', { job_id: 'nope' }],
    ['reject_job', { job_id: 'nope' }],
    ['wait_jobs', { job_ids: ['nope'] }],
  ];
  for (const [name, args] of unknownJob) {
    it(`${name}: an unknown job is a value, with provenance first`, async () => {
      const { fields, isError, text } = await mcp.call(name, args);
      assert.equal(isError, true);
      assert.equal(fields['ok'], false);
      assert.equal(fields['error'].kind, 'unknown_job');
      assert.match(text, /^No model was asked · /);
      assert.equal(text.split('\n')[0], fields['provenance']);
    });
  }

  const violations: [string, Record<string, unknown>, RegExp][] = [
    ['job_status', {}, /job_id/],
    ['run_agent', { task: '' }, /task/],
    ['run_agent', { task: 'x', isolation: 'sandbox' }, /isolation/],
    ['run_agent', { task: 'x', modle: 'y' }, /modle/],
    ['wait_jobs', { job_ids: [] }, /job_ids/],
    ['register_endpoint', { name: 'x', base_url: 'file:///etc/passwd' }, /base_url/],
    ['no_such_tool', {}, /no tool "no_such_tool"/],
    ['set_secret', { name: 'x' }, /no tool/],
  ];
  for (const [name, args, expected] of violations) {
    it(`${name} with ${JSON.stringify(args)} is an error of the protocol`, async () => {
      await assert.rejects(mcp.call(name, args), (error: Error & { code?: number }) => {
        assert.equal(error.code, -32602);
        assert.match(error.message, expected);
        return true;
      });
    });
  }

  it('list_models gives guidance and what is served', async () => {
    const { fields, text } = await mcp.call('list_models');
    assert.equal(fields['ok'], true);
    assert.equal(fields['endpoints'][0].probe.models[0].id, 'rehearsal');
    assert.match(fields['guidance'], /ask the user/);
    assert.match(text, /^No model was asked · asked 1 endpoint, 1 up/);
  });

  it('run_agent with a model that nobody serves: refused, with a receipt and guidance', async () => {
    const { fields, isError } = await mcp.call('run_agent', {
      task: 'x',
      model: 'gpt-99',
      policy: 'local-only',
    });
    assert.equal(isError, true);
    assert.equal(fields['error'].kind, 'model_unavailable');
    assert.match(fields['error'].guidance, /ask the user/);
    assert.equal(fields['error'].do_not_retry_in_cloud, true);
    assert.equal(fields['job'].status, 'refused');
    const { fields: again } = await mcp.call('job_status', { job_id: fields['job'].id });
    assert.equal(again['ok'], true, 'the record of a refused job can be read');
  });

  it('explain_route says why there is no place', async () => {
    const { fields, isError } = await mcp.call('explain_route', { model: 'gpt-99' });
    assert.equal(isError, true);
    assert.equal(fields['error'].kind, 'model_unavailable');
    assert.ok(fields['considered'].length > 0);
  });

  itWithClaude('a job from brief to accepted change', async () => {
    const started = await mcp.call('run_agent', {
      task: script('write new.txt: made', 'say: It is made.'),
      model: 'rehearsal',
      gate: 'tests',
    });
    assert.equal(started.isError, false, started.text);
    const id: string = started.fields['job'].id;
    assert.equal(started.fields['watch'], `delegate wait ${id}`);
    assert.match(started.fields['watch_hint'], /background/);
    assert.equal(started.fields['job'].client.name, 'claude-code');

    const progress: string[] = [];
    const waited = await mcp.call('wait_jobs', { job_ids: [id], timeout_s: 90 }, (message) =>
      progress.push(message),
    );
    const [job] = waited.fields['finished'];
    assert.equal(job.status, 'done', JSON.stringify(job));
    assert.match(
      job.provenance,
      /^Answered by rehearsal at rehearsal .* rule model-exact .* gate tests passed$/,
    );
    assert.equal(job.result, 'It is made.');
    assert.ok(progress.length > 0);

    const diff = await mcp.call('job_diff', { job_id: id });
    assert.deepEqual(
      diff.fields['files'].map((file: { path: string }) => file.path),
      ['new.txt'],
    );
    assert.match(diff.fields['patch'], /\+made/);
    assert.match(diff.text, /^Answered by rehearsal/);

    const log = await mcp.call('job_log', { job_id: id, tail_lines: 3 });
    assert.match(log.fields['log'], /\[assistant\] It is made/);

    const listed = await mcp.call('list_jobs', { statuses: ['done'] });
    assert.deepEqual(
      listed.fields['jobs'].map((row: { id: string }) => row.id),
      [id],
    );

    assert.equal(
      existsSync(join(world.repo.root, 'new.txt')),
      false,
      'the checkout is untouched until accept',
    );
    const accepted = await mcp.call('accept_job', { job_id: id });
    assert.equal(accepted.fields['result'].status, 'applied', accepted.text);
    assert.equal(accepted.fields['job'].review.by, 'agent:claude-code');
    assert.equal(readFileSync(join(world.repo.root, 'new.txt'), 'utf8'), 'made');
  });

  itWithClaude(
    'a wait that goes on tells how the job is doing, and a cancelled call leaves the job alone',
    async () => {
      const quick = await McpTestClient.connect(
        world.start('server.cjs', ['--progress-interval-ms=150']),
        {
          roots: [pathToFileURL(world.repo.root).href],
        },
      );
      const { fields } = await quick.call('run_agent', { task: script('hang 20s', 'say: late') });
      const id: string = fields['job'].id;
      assert.equal(fields['job'].cwd, world.repo.root, "the client's first root is the folder");
      const messages: string[] = [];
      const abort = new AbortController();
      const waiting = quick.client.callTool(
        { name: 'wait_jobs', arguments: { job_ids: [id], timeout_s: 60 } },
        undefined,
        {
          signal: abort.signal,
          onprogress: ({ message }) => messages.push(message ?? ''),
        },
      );
      await world.until(
        'a few progress notes of a running job',
        () => messages.filter((text) => text.startsWith('running')).length >= 4,
      );
      abort.abort('enough');
      await assert.rejects(waiting);
      const status = await quick.call('job_status', { job_id: id });
      assert.equal(status.fields['job'].status, 'running');
      const cancelled = await quick.call('cancel_job', { job_id: id });
      assert.equal(cancelled.fields['job'].status, 'cancelled');
      assert.equal(await quick.leave(), 0);
      const answers = quick.purity.lines.map(
        (line) => JSON.parse(line) as { id?: number; result?: { content?: unknown } },
      );
      assert.equal(
        answers.filter((answer) => answer.result?.content !== undefined).length,
        3,
        'the cancelled call got no answer',
      );
    },
  );

  itWithClaude('cancel_with_client ends the job with the call', async () => {
    const { client } = mcp;
    const abort = new AbortController();
    const before = new Set(world.bridge.list().map(({ id }) => id));
    const running = client.callTool(
      {
        name: 'run_agent',
        arguments: { task: script('hang 20s'), wait_s: 60, cancel_with_client: true },
      },
      undefined,
      { signal: abort.signal },
    );
    const { id } = await world.until('the job', () =>
      world.bridge.list().find((job) => !before.has(job.id) && job.status === 'running'),
    );
    abort.abort('enough');
    await assert.rejects(running);
    const end = await world.finished(id);
    assert.equal(end.status, 'cancelled');
  });
});
