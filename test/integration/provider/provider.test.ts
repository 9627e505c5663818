import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT, type BridgeWorld, bridgeWorld, PERSON, script } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { itWithClaude } from '../../support/withClaude.ts';
import { type KeyedServer, keyedServer } from './keyedServer.ts';

const KEY_A = 'sk-aaaa-literal-key-of-a';
const KEY_B = 'sk-bbbb-literal-key-of-b';
const MODELS = `endpoints:
  rehearsal: { base_url: URL, max_concurrent: 50 }
`;

describe('an endpoint that a call names', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let a: KeyedServer;
  let b: KeyedServer;

  before(async () => {
    world = await bridgeWorld({ models: MODELS, env: { PROVIDER_KEY: KEY_A } });
    a = await keyedServer(KEY_A);
    b = await keyedServer(KEY_B);
    const agents = join(world.repo.home, '.claude', 'agents');
    mkdirSync(agents, { recursive: true });
    writeFileSync(join(agents, 'scribe.md'), 'Do what you are told.');
  });
  after(async () => {
    await a.close();
    await b.close();
    await world.dispose();
  });

  const compat = async (): Promise<McpTestClient> =>
    McpTestClient.connect(
      world.start('server.cjs', ['--profile', 'delegate-local'], {
        CLAUDE_PROJECT_DIR: world.repo.root,
      }),
    );

  it('two providers at once: no key goes to the other, and no key is kept', async () => {
    const mcp = await compat();
    const call = (server: KeyedServer, key: string, path: string, text: string) =>
      mcp.call('delegate_to_provider', {
        provider_url: `${server.url}${path}`,
        api_key: key,
        model: 'rehearsal',
        agent_name: 'scribe',
        task: script('run: env; ps axww -o args', 'slow 60 tok/s', `say: ${text}`),
      });
    const calls = await Promise.all([
      call(a, KEY_A, '/v1/messages', 'one of a'),
      call(b, KEY_B, '/v1/chat/completions', 'one of b'),
      call(a, KEY_A, '/v1/chat/completions', 'two of a'),
      call(b, KEY_B, '/v1/messages', 'two of b'),
    ]);
    assert.deepEqual(
      calls.map(({ fields }) => [fields['success'], fields['final_response']]),
      [
        [true, 'one of a'],
        [true, 'one of b'],
        [true, 'two of a'],
        [true, 'two of b'],
      ],
      JSON.stringify(calls.map(({ fields }) => fields['error'])),
    );
    for (const { fields } of calls) assert.match(fields['warning'], /transcript/);
    assert.deepEqual([[...a.keys], [...b.keys]], [[KEY_A], [KEY_B]]);
    assert.ok(a.paths.has('/v1/messages') && a.paths.has('/v1/chat/completions'));
    assert.ok(b.paths.has('/v1/messages') && b.paths.has('/v1/chat/completions'));
    assert.equal(await mcp.leave(), 0);
    assert.ok(!mcp.stderr.includes(KEY_A) && !mcp.stderr.includes(KEY_B));
    await world.until('the removal of the keys', () => filesWith(world, KEY_B).length === 0);
    assert.deepEqual(filesWith(world, KEY_A), []);
  });

  it('while a job waits or runs its key lies in one file that only its owner reads', async () => {
    const mcp = await compat();
    const known = new Set(world.bridge.list().map((job) => job.id));
    const call = mcp.call('delegate_to_provider', {
      provider_url: `${b.url}/v1/messages`,
      api_key: KEY_B,
      model: 'rehearsal',
      agent_name: 'scribe',
      task: script('hang 60s', 'say: late'),
    });
    const job = await world.until('the job', () =>
      world.bridge.list().find((each) => !known.has(each.id) && each.status === 'running'),
    );
    assert.deepEqual(filesWith(world, KEY_B), [join('providers', `${job.id}.json`)]);
    await world.bridge.cancel(job.id, PERSON);
    const { fields } = await call;
    assert.equal(fields['success'], false);
    await world.until('the removal of the key', () => filesWith(world, KEY_B).length === 0);
    await assert.rejects(world.bridge.retry(job.id, {}, PERSON), /given for one job alone/);
    assert.equal(await mcp.leave(), 0);
  });

  it('a key by reference, with a model and a format of its own', async () => {
    const record = await world.run(
      {
        runner: 'loop',
        isolation: 'none',
        task: script('say: By reference.'),
        provider: {
          url: a.url,
          model: 'rehearsal',
          apiKey: '${env:PROVIDER_KEY}',
          format: 'openai',
          headers: { 'x-extra': 'Bearer ${env:PROVIDER_KEY}' },
        },
      },
      PERSON,
    );
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.equal(record.result, 'By reference.');
    assert.equal(record.endpoint, `provider:http://${new URL(a.url).host}`);
    assert.equal(record.locality, 'local');
    assert.deepEqual(filesWith(world, KEY_A), []);
    const again = await world.bridge.retry(record.id, {}, PERSON);
    assert.equal((await world.finished(again.id)).status, 'done');
  });

  it('a model may not send a key to a host that the configuration does not list for it', async () => {
    a.keys.clear();
    const request = {
      runner: 'loop' as const,
      isolation: 'none' as const,
      task: script('say: Sent.'),
      provider: { url: a.url, model: 'rehearsal', apiKey: '${env:PROVIDER_KEY}' },
    };
    const refused = await world.run(request, AGENT);
    assert.deepEqual([refused.status, refused.failure?.kind], ['refused', 'policy_refused']);
    assert.deepEqual([...a.keys], []);
    world.writeModels(`${MODELS}runners:\n  loop: { provider_allowed_hosts: [127.0.0.1] }\n`);
    const listed = await world.run(request, AGENT);
    world.writeModels(MODELS);
    assert.equal(listed.status, 'done', JSON.stringify(listed.failure));
    assert.deepEqual([...a.keys], [KEY_A]);
  });

  itWithClaude('Claude Code asks it through the bridge and never sees its key', async () => {
    b.keys.clear();
    const record = await world.run({
      runner: 'claude-code',
      task: script('run: env; cat /proc/self/environ', 'say: Through the bridge.'),
      provider: { url: `${b.url}/v1/messages`, model: 'rehearsal', literalKey: KEY_B },
    });
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.deepEqual(record.proof?.endpoint, `provider:http://${new URL(b.url).host}`);
    assert.deepEqual([...b.keys], [KEY_B]);
    await world.until('the removal of the key', () => filesWith(world, KEY_B).length === 0);
  });

  it('a server that repeats the key it refuses does not get it into the record', async () => {
    const record = await world.run({
      runner: 'loop',
      isolation: 'none',
      task: script('say: never'),
      provider: { url: b.url, model: 'rehearsal', literalKey: KEY_A, format: 'anthropic' },
    });
    assert.notEqual(record.status, 'done');
    assert.ok(!JSON.stringify(record).includes(KEY_A), JSON.stringify(record));
    await world.until('the removal of the key', () => filesWith(world, KEY_A).length === 0);
    b.keys.delete(KEY_A);
  });

  it('local-only takes a provider that is near by its address', async () => {
    const record = await world.run({
      runner: 'loop',
      isolation: 'none',
      policy: 'local-only',
      task: script('say: Near.'),
      provider: { url: a.url, model: 'rehearsal', apiKey: '${env:PROVIDER_KEY}' },
    });
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
  });

  const refusals: [string, Record<string, unknown>, string][] = [
    ['a metadata address', { url: 'http://169.254.169.254/v1' }, 'policy_refused'],
    ['the same as a number', { url: 'http://2852039166/v1' }, 'policy_refused'],
    ['the same in IPv6', { url: 'http://[::ffff:169.254.169.254]/v1' }, 'policy_refused'],
    ['a name that has no address', { url: 'http://nowhere.invalid/v1' }, 'policy_refused'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'bad_argument'],
    ['a key as a value', { url: 'http://127.0.0.1:9/v1', api_key: 'sk-value' }, 'bad_argument'],
    [
      'a key for a host that is not listed',
      { url: 'http://127.0.0.1:9/v1', api_key: '${env:PROVIDER_KEY}' },
      'policy_refused',
    ],
    ['nobody at the address', { url: 'http://127.0.0.1:9/v1' }, 'model_unavailable'],
  ];
  it('run_agent refuses what must not be asked, as a value, and keeps no value of a key', async () => {
    const mcp = await McpTestClient.connect(
      world.start('server.cjs', [], { CLAUDE_PROJECT_DIR: world.repo.root }),
    );
    for (const [what, provider, kind] of refusals) {
      const { fields, isError } = await mcp.call('run_agent', {
        task: 'x',
        runner: 'loop',
        isolation: 'none',
        provider: { model: 'm', ...provider },
      });
      assert.equal(isError, true, what);
      assert.equal(fields['error'].kind, kind, `${what}: ${JSON.stringify(fields['error'])}`);
    }
    await assert.rejects(
      mcp.call('run_agent', {
        task: 'x',
        provider: { model: 'm', url: 'http://127.0.0.1:9', literal_key: 'sk-value' },
      }),
      /literal_key/,
    );
    assert.deepEqual(filesWith(world, 'sk-value'), []);
    assert.equal(await mcp.leave(), 0);
  });

  it('the profile delegate-local gives no variable away either', async () => {
    a.keys.clear();
    const mcp = await compat();
    for (const key of ['${env:PROVIDER_KEY}', 'x${env:PROVIDER_KEY}', '${secret:any}']) {
      const { fields } = await mcp.call('delegate_to_provider', {
        provider_url: a.url,
        api_key: key,
        model: 'rehearsal',
        agent_name: 'scribe',
        task: 'x',
      });
      assert.equal(fields['success'], false, key);
      assert.match(fields['error_kind'], /policy_refused|bad_argument/);
    }
    assert.deepEqual([...a.keys], []);
    assert.equal(await mcp.leave(), 0);
  });

  it('a list of allowed hosts is strict', async () => {
    world.writeModels(`${MODELS}runners:\n  loop: { provider_allowed_hosts: [api.example] }\n`);
    const record = await world.run({
      runner: 'loop',
      isolation: 'none',
      task: 'x',
      provider: { url: a.url, model: 'rehearsal' },
    });
    world.writeModels(MODELS);
    assert.deepEqual([record.status, record.failure?.kind], ['refused', 'policy_refused']);
  });
});

/** Files below the state folder that hold a text. Read by another process: this one would drop its own locks on the store. */
function filesWith(world: BridgeWorld, text: string): string[] {
  const found = spawnSync('grep', ['-rlaF', '--', text, '.'], {
    cwd: world.repo.stateDir,
    encoding: 'utf8',
  });
  // 2: a file was gone before it could be read.
  assert.ok(found.status !== null && found.error === undefined, String(found.error));
  return found.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^\.\//, ''));
}
