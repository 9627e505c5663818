import { mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { type BridgeWorld, bridgeWorld, script } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { itWithClaude } from '../../support/withClaude.ts';

/** Loaded into the server before its own code: what a careless line of the product or of a library would do, all the time. */
const STRAY = `
setInterval(() => {
  console.log('stray line of console.log');
  console.info('stray line of console.info');
  process.stdout.write('stray line of stdout.write\\n');
  process.emitWarning('stray warning');
}, 5).unref();
`;

describe('invariant 1: stdout is the protocol', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let stray: Record<string, string>;
  before(async () => {
    world = await bridgeWorld({
      models: 'endpoints:\n  rehearsal: { base_url: URL }\n  bad: [1\n',
    });
    const file = join(world.repo.scratch, 'stray.cjs');
    writeFileSync(file, STRAY);
    stray = { NODE_OPTIONS: `--require ${file}` };
  });
  after(async () => world.dispose());

  it('whatever the server’s own code writes, with a broken models.yaml, under load and on errors', async () => {
    const mcp = await McpTestClient.connect(world.start('server.cjs', [], stray));
    const wrong = [
      ['list_models', {}],
      ['job_status', { job_id: 'no-such-job' }],
      ['job_log', { job_id: 'no-such-job' }],
      ['run_agent', { task: '   ' }],
      ['run_agent', { task: 'x', model: 'nobody-serves-this' }],
      ['explain_route', { endpoint: 'nowhere' }],
      ['accept_job', { job_id: 'no-such-job' }],
      ['register_endpoint', { name: '../x', base_url: 'nonsense' }],
    ] as const;
    const calls = Array.from({ length: 6 }, () => wrong)
      .flat()
      .map(([name, args]) => mcp.call(name, args));
    const protocolErrors = [
      mcp.client.callTool({ name: 'no_such_tool', arguments: {} }),
      mcp.client.callTool({ name: 'job_status', arguments: { job_id: 7 } }),
      mcp.client.readResource({ uri: 'delegate://nothing/here' }),
      mcp.client.getPrompt({ name: 'no_such_prompt' }),
    ];
    const settled = await Promise.allSettled([...calls, ...protocolErrors]);
    assert.ok(settled.filter(({ status }) => status === 'rejected').length >= 3);
    // Not JSON, JSON that is no message, a message without a method: answered or dropped, never echoed.
    for (const line of ['this is not JSON', '[1, 2]', '{"jsonrpc":"2.0","id":99}', '\u0000']) {
      mcp.child.stdin?.write(`${line}\n`);
    }
    assert.equal((await mcp.call('list_jobs')).isError, false);
    assert.equal(await mcp.leave(), 0);
    for (const kind of ['console.log', 'console.info', 'stdout.write']) {
      assert.match(
        mcp.stderr,
        new RegExp(`stray line of ${kind}`),
        'the test itself has done nothing',
      );
    }
    mcp.purity.check();
  });

  it('in the profile delegate-local as well, while its jobs run and fail', async () => {
    world.writeModels('endpoints:\n  rehearsal: { base_url: URL }\n');
    const agents = join(world.repo.home, '.claude', 'agents');
    mkdirSync(agents, { recursive: true });
    writeFileSync(join(agents, 'scribe.md'), 'Do it.');
    const mcp = await McpTestClient.connect(
      world.start('server.cjs', ['--profile', 'delegate-local'], stray),
    );
    const task = script('run: echo to-stdout; echo to-stderr >&2', 'say: Done.');
    const answers = await Promise.all([
      mcp.call('delegate_to_local_agent', { agent_name: 'scribe', task }),
      mcp.call('delegate_batch', { tasks: [{ agent_name: 'scribe', task }, 7] }),
      mcp.call('delegate_to_provider', {
        provider_url: 'http://169.254.169.254/v1',
        api_key: 'sk',
        model: 'm',
        agent_name: 'scribe',
        task,
      }),
      mcp.call('list_local_agents'),
      mcp.call('local_backend_status'),
    ]);
    assert.deepEqual(
      answers.map(({ fields }) => fields['success']),
      [true, false, false, undefined, undefined],
      JSON.stringify(answers.map(({ fields }) => fields['error'])),
    );
    assert.equal(await mcp.leave(), 0);
    assert.match(mcp.stderr, /stray line of console.log/);
  });

  itWithClaude('a job with all its progress goes over it too', async () => {
    world.writeModels('endpoints:\n  rehearsal: { base_url: URL }\n');
    const mcp = await McpTestClient.connect(world.start('server.cjs', [], stray));
    const task = script('write a.txt: A', 'run: echo to-stdout; echo to-stderr >&2', 'say: Done.');
    const seen: string[] = [];
    const { fields } = await mcp.call('run_agent', { task, wait_s: 90 }, (text) => seen.push(text));
    assert.equal(fields['job']?.status ?? fields['status'], 'done', JSON.stringify(fields));
    assert.equal(await mcp.leave(), 0);
  });

  it('a state folder that cannot be used: not a byte on stdout but answers', async () => {
    const file = join(world.repo.scratch, 'a-file');
    writeFileSync(file, '');
    const child = world.start('server.cjs', [], { ...stray, DELEGATE_STATE: file });
    const mcp = await McpTestClient.connect(child);
    const { isError, text } = await mcp.call('list_jobs');
    assert.equal(isError, true);
    assert.match(text, /is not a folder/);
    assert.equal(await mcp.leave(), 0);
  });

  it('options that it refuses: not a byte', async () => {
    const child = world.start('server.cjs', ['--nonsense'], stray);
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 1);
    assert.equal(out, '');
  });
});
