import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, it } from 'mocha';
import { AGENT, bridgeWorld, PERSON, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { hostOf } from '../../support/killProcesses.ts';
import { LanguageTestClient } from '../../support/languageClient.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { modelsPage, startRecorder, type Answerer } from './recorder.ts';
import { textsBelow } from '../../support/textsBelow.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

/** One known value for each place where a secret may live. */
const SECRETS = {
  environment: 'sk-environment-4f1a9c',
  secretFile: 'sk-secretfile-b27e55',
  header: 'hdr-secret-90ab13',
  headerOfEnvironment: 'hdr-env-secret-77cd02',
  sessionEnvironment: 'session-env-secret-e1e1e1',
  proxyPassword: 'proxy-password-5d5d5d',
  addressPassword: 'address-password-313131',
  literal: 'sk-literal-in-the-file-8c8c8c',
  byModel: 'sk-key-by-model-4e4e4e',
  routerToken: 'router-token-2b2b2b',
  provider: 'sk-of-a-provider-6d6d6d',
  tried: 'sk-tried-7a7a7a',
  imported: 'sk-of-another-tool-9b9b9b',
  inherited: 'inherited-key-of-the-client-ffff01',
};

/** What a careless server or proxy does: it repeats what it was sent. */
const echo: Answerer = ({ url, headers, body }) => {
  if (/\/v1\/models/.test(url)) return { body: modelsPage('echo') };
  if (/"report_number"/.test(body)) {
    const content = [{ type: 'tool_use', id: 't', name: 'report_number', input: { value: 7 } }];
    return { body: JSON.stringify({ type: 'message', role: 'assistant', content }) };
  }
  // The question for its formats; a server that refuses that is not given a job.
  if (body === '{}') return { status: 400, body: '{"error":{"message":"messages is required"}}' };
  return {
    status: 400,
    body: JSON.stringify({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: `Cannot be served for ${headers.authorization}, ${String(headers['x-file'])}`,
      },
    }),
  };
};
const echoDown: Answerer = ({ headers }) => ({
  status: 403,
  body: JSON.stringify({ error: { message: `Refused: ${JSON.stringify(headers)}` } }),
});

describeWithClaude('invariant 12: no secret anywhere', function () {
  this.timeout(240_000);
  let world: BridgeWorld;
  let servers: Awaited<ReturnType<typeof startRecorder>>[];
  let proxy: Server;
  /** Everything that was shown to anybody. */
  const shown: string[] = [];
  const argv = new Set<string>();
  /** Of the processes of jobs: what runs in the job's name, the agent and its commands. */
  const environments = new Set<string>();
  let sampler: NodeJS.Timeout;

  before(async () => {
    servers = [await startRecorder(echo), await startRecorder(echoDown)];
    proxy = createServer((_request, response) => response.writeHead(407).end());
    proxy.on('connect', (request, socket) => {
      const said = `Proxy: ${String(request.headers['proxy-authorization'])}`;
      socket.end(`HTTP/1.1 407 ${said}\r\ncontent-length: ${said.length}\r\n\r\n${said}`);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const proxyPort = (proxy.address() as AddressInfo).port;
    world = await bridgeWorld({
      files: {
        'README.md': 'x\n',
        // Prints what the job's shell has, but for the one variable that the user gave it on purpose.
        'print-env.cjs':
          'for (const [k, v] of Object.entries(process.env)) if (k !== "SESSION_TOKEN") console.log(k + "=" + v);\n',
        'all-env.cjs': 'console.log(JSON.stringify(process.env));\n',
      },
      env: {
        KEY_OF_ENV: SECRETS.environment,
        HEADER_OF_ENV: SECRETS.headerOfEnvironment,
        ANTHROPIC_API_KEY: SECRETS.inherited,
        ANTHROPIC_AUTH_TOKEN: SECRETS.inherited,
        OPENAI_API_KEY: SECRETS.inherited,
        GITHUB_TOKEN: SECRETS.inherited,
        AWS_SECRET_ACCESS_KEY: SECRETS.inherited,
      },
      models: `endpoints:
  rehearsal:
    base_url: URL
    api_key: "\${env:KEY_OF_ENV}"
    headers: { X-File: "\${secret:hdr}", Authorization: "Bearer \${env:HEADER_OF_ENV}" }
    env: { SESSION_TOKEN: "\${secret:session}" }
    max_concurrent: 50
  echo:
    base_url: "${servers[0]?.url}"
    format: anthropic
    api_key: "\${secret:filekey}"
    headers: { X-File: "\${secret:hdr}", X-Env: "Bearer \${env:HEADER_OF_ENV}" }
    env: { CLAUDE_CODE_MAX_RETRIES: "0", SESSION_TOKEN: "\${secret:session}" }
  echo-down: { base_url: "${servers[1]?.url}", api_key: "\${secret:filekey}", headers: { X-File: "\${secret:hdr}" } }
  proxied: { base_url: URL, api_key: "\${secret:filekey}", proxy: "http://user:\${secret:proxy}@127.0.0.1:${proxyPort}" }
  literal: { base_url: "${servers[0]?.url}/literal", format: anthropic, api_key: ${SECRETS.literal}, env: { CLAUDE_CODE_MAX_RETRIES: "0" } }
  bymodel: { base_url: "${servers[0]?.url}/bymodel", format: anthropic, api_key: { "ech*": "\${secret:bymodel}" } }
router: { token: ${SECRETS.routerToken} }
gates:
  env: { run: "node all-env.cjs" }
`,
    });
    await world.bridge.secrets.set('filekey', SECRETS.secretFile);
    await world.bridge.secrets.set('hdr', SECRETS.header);
    await world.bridge.secrets.set('session', SECRETS.sessionEnvironment);
    await world.bridge.secrets.set('proxy', SECRETS.proxyPassword);
    await world.bridge.secrets.set('bymodel', SECRETS.byModel);
    await world.bridge.secrets.set('provider', SECRETS.provider);
    await world.bridge.secrets.set('tried', SECRETS.tried);
    sampler = setInterval(sampleArguments, 25);
  });
  after(async () => {
    clearInterval(sampler);
    await world.dispose();
    for (const server of servers) await server.close();
    proxy.close();
  });

  function sampleArguments(): void {
    if (!existsSync('/proc/self/cmdline')) return;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        argv.add(readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' '));
        const environment = `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`;
        if (environment.includes('\0DELEGATE_JOB=')) environments.add(environment);
      } catch (error) {
        // A process that has ended meanwhile has no arguments any more.
        if (
          !['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(
            (error as NodeJS.ErrnoException).code ?? '',
          )
        )
          throw error;
      }
    }
  }

  function secretsIn(text: string): string[] {
    return Object.entries(SECRETS)
      .filter(([, value]) =>
        [value, Buffer.from(`user:${value}`).toString('base64'), encodeURIComponent(value)].some(
          (form) => text.includes(form),
        ),
      )
      .map(([name]) => name);
  }

  /** By file: the secrets in it. */
  function secretsBelow(folder: string): Record<string, string[]> {
    const found: Record<string, string[]> = {};
    for (const { file, text } of textsBelow(folder)) {
      const secrets = secretsIn(text);
      if (secrets.length > 0) found[file] = secrets;
    }
    return found;
  }

  it('a job that looks around in its environment, and its gate: no key', async () => {
    const job = await world.run({
      task: script('run: node print-env.cjs', 'write a.txt: A', 'say: Looked.'),
      endpoint: 'rehearsal',
      gate: 'env',
    });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    const seen = world.log(job.id, 'events.jsonl');
    assert.match(seen, /ANTHROPIC_BASE_URL=http/, 'the environment of the shell was printed');
    assert.deepEqual(secretsIn(seen), []);
    assert.match(job.gate?.tail ?? '', /"PATH"/);
    assert.deepEqual(secretsIn(job.gate?.tail ?? ''), [], 'the environment of the gate');
    assert.doesNotMatch(job.gate?.tail ?? '', /SESSION_TOKEN|ANTHROPIC/);
    shown.push(JSON.stringify(job));
  });

  it('servers and proxies that repeat keys in their errors: job, lists, doctor and route say none', async () => {
    for (const request of [
      { endpoint: 'echo', model: 'echo' },
      { endpoint: 'echo-down', model: 'echo' },
      { endpoint: 'proxied', model: 'rehearsal' },
    ]) {
      const job = await world.run({ task: script('say: x'), ...request }, AGENT);
      assert.equal(job.status, request.endpoint === 'echo' ? 'failed' : 'refused');
      shown.push(JSON.stringify(job), world.log(job.id, 'transcript.txt'));
      shown.push(
        await world.bridge.complete({ prompt: 'x', ...request }, world.repo.root).then(
          () => assert.fail('was answered'),
          (error: Error) => `${error.message} ${JSON.stringify(error)} ${error.stack ?? ''}`,
        ),
      );
    }
    assert.ok((servers[0]?.requests.length ?? 0) > 2);
    assert.ok(
      servers[0]?.requests.some(({ headers }) =>
        JSON.stringify(headers).includes(SECRETS.secretFile),
      ),
      'the key was sent',
    );
    for (const args of [
      ['doctor'],
      ['doctor', '--json'],
      ['models'],
      ['models', '--json'],
      ['route', '--endpoint', 'echo-down'],
      ['secret', 'list'],
      ['jobs', '--json'],
    ]) {
      const { stdout, stderr } = await world.cli(...args);
      assert.notEqual(stdout, '', args.join(' '));
      shown.push(stdout, stderr);
    }
    const mcp = await McpTestClient.connect(world.start('server.cjs'));
    for (const [name, args] of [
      ['list_models', {}],
      ['list_jobs', {}],
      ['explain_route', { endpoint: 'proxied' }],
      ['explain_route', { endpoint: 'echo-down' }],
      [
        'register_endpoint',
        { name: 'x', base_url: `http://user:${SECRETS.addressPassword}@127.0.0.1:9` },
      ],
    ] as const) {
      const { text, fields } = await mcp.call(name, args);
      shown.push(text, JSON.stringify(fields));
    }
    assert.equal(await mcp.leave(), 0);
    shown.push(mcp.stderr);
    for (const text of shown) assert.deepEqual(secretsIn(text), [], text.slice(0, 2000));
  });

  it('jobs of the loop: one that looks around, and those whose key is literal, by model or of a call, failing', async () => {
    const looked = await world.run({
      task: script('run: node print-env.cjs; node all-env.cjs', 'write b.txt: B', 'say: Looked.'),
      ...{ endpoint: 'rehearsal', runner: 'loop', gate: 'env' },
    });
    assert.equal(looked.status, 'done', JSON.stringify(looked.failure));
    assert.match(world.log(looked.id, 'events.jsonl'), /PATH=/, 'the environment was printed');
    shown.push(JSON.stringify(looked), world.log(looked.id, 'events.jsonl'));
    const provider = {
      url: `${servers[0]?.url}/provider`,
      ...{ model: 'echo', apiKey: '${secret:provider}', format: 'anthropic' as const },
    };
    for (const [secret, request] of [
      ['literal', { endpoint: 'literal', model: 'echo', runner: 'loop' }],
      ['literal', { endpoint: 'literal', model: 'echo', runner: 'claude-code' }],
      ['byModel', { endpoint: 'bymodel', model: 'echo', runner: 'loop' }],
      ['provider', { provider, runner: 'loop' }],
    ] as const) {
      const job = await world.run({ task: script('say: x'), ...request });
      assert.equal(job.status, 'failed', JSON.stringify(job));
      const sent = servers[0]?.requests.some(({ headers }) =>
        JSON.stringify(headers).includes(SECRETS[secret]),
      );
      assert.ok(sent, `${secret} was sent`);
      shown.push(JSON.stringify(job));
      for (const log of ['transcript.txt', 'events.jsonl']) shown.push(world.log(job.id, log));
    }
    for (const text of shown) assert.deepEqual(secretsIn(text), [], text.slice(0, 2000));
  });

  it('a job whose host crashes in the middle of a request: nothing it leaves says one', async () => {
    const { root } = world.repo;
    const asked = world.rehearsal.requests();
    const { id } = await world.bridge.submit(
      { task: script('run: node print-env.cjs', 'hang 120s'), cwd: root, endpoint: 'rehearsal' },
      PERSON,
      root,
    );
    await world.until(
      'it asks a second time',
      () => world.rehearsal.requests() >= asked + 2,
      60_000,
    );
    process.kill(hostOf(id).pid, 'SIGKILL');
    const lost = await world.until('it is lost', () => {
      const job = world.bridge.job(id);
      return job.status === 'lost' && job;
    });
    for (const text of [JSON.stringify(lost), world.log(id, 'events.jsonl')])
      assert.deepEqual(secretsIn(text), [], text.slice(0, 2000));
    const { stdout, stderr } = await world.cli('show', id);
    for (const text of [stdout, stderr]) assert.deepEqual(secretsIn(text), [], text);
  });

  it('an import: the key goes from the file of the other tool to the store, and is told to nobody', async () => {
    const path = join(world.repo.scratch, 'litellm.yaml');
    writeFileSync(
      path,
      `model_list:
  - { model_name: far, litellm_params: { model: openai/far, api_base: "http://127.0.0.1:9/v1", api_key: ${SECRETS.imported} } }
`,
    );
    const from = { kind: 'litellm', path };
    const mcp = await McpTestClient.connect(world.start('server.cjs', ['--profile', 'ui']), {
      name: 'delegation-bridge-vscode',
    });
    const said: string[] = [];
    const call = async (name: string, args: object): Promise<Record<string, unknown>> => {
      const { text, fields, isError } = await mcp.call(name, { ...args });
      assert.equal(isError, false, text);
      said.push(text, JSON.stringify(fields));
      return fields;
    };
    await call('import_sources', {});
    const plan = await call('import_config', { from });
    const secrets = plan['secrets'] as { name: string }[];
    const names = secrets.map(({ name }) => name);
    assert.equal(names.length, 1);
    const request = { from, names, source_sha256: plan['source_sha256'] };
    assert.deepEqual((await call('keep_import_keys', request))['kept'], names);
    assert.equal(await mcp.leave(), 0);
    const { stdout, stderr } = await world.cli('import', 'litellm', path);
    for (const text of [...said, mcp.stderr, stdout, stderr])
      assert.deepEqual(secretsIn(text), [], text.slice(0, 2000));
    assert.ok(world.bridge.secrets.state().names.includes(names[0] ?? ''), 'it is kept');
  });

  it('the tools of the window and the language server: names, references and masks', async () => {
    const mcp = await McpTestClient.connect(world.start('server.cjs', ['--profile', 'ui']), {
      name: 'delegation-bridge-vscode',
    });
    const { root: cwd } = world.repo;
    const address = servers[0]?.url ?? '';
    for (const [name, args] of [
      ['secret_names', {}],
      ['config_facts', { cwd }],
      ['doctor', {}],
      ['list_models', { cwd }],
      ['delegate_facts', { cwd }],
      ['slot_use', {}],
      ['scan_endpoints', { ports: [Number(new URL(address).port)] }],
      ['try_endpoint', { base_url: address, secret: 'tried', check_tools: true }],
      ['try_endpoint', { base_url: servers[1]?.url, secret: 'tried', check_tools: true }],
      ['try_endpoint', { base_url: `http://u:${SECRETS.addressPassword}@127.0.0.1:9` }],
      ['add_endpoint', { name: 'added', base_url: servers[1]?.url, secret: 'tried' }],
      ['remove_endpoint', { name: 'added', base_url: servers[1]?.url }],
      ['try_gate', { cwd, gate: 'env' }],
      ['job_feed', {}],
    ] as const) {
      const { text, fields } = await mcp.call(name, args);
      shown.push(text, JSON.stringify(fields));
    }
    assert.equal(await mcp.leave(), 0);
    shown.push(mcp.stderr);
    assert.ok(
      servers[1]?.requests.some(({ headers }) => JSON.stringify(headers).includes(SECRETS.tried)),
      'the key that was named was sent',
    );

    const env = { ...world.env };
    const client = await LanguageTestClient.start({ env, cwd, folders: [cwd] });
    const text = readFileSync(world.modelsFile, 'utf8');
    const uri = await client.open(world.modelsFile, text);
    const told = await client.diagnostics(uri, (found) =>
      found.some(({ code }) => code === 'literal_secret'),
    );
    shown.push(JSON.stringify(told));
    shown.push(JSON.stringify(await client.ask('delegationBridge/formState', { uri })));
    shown.push(JSON.stringify(await client.ask('delegationBridge/formFields', {})));
    for (const [line, content] of text.split('\n').entries()) {
      for (let character = 0; character < content.length; character += 6) {
        const position = { line, character };
        for (const method of ['hover', 'completion']) {
          const params = { textDocument: { uri }, position };
          shown.push(
            JSON.stringify(await client.connection.sendRequest(`textDocument/${method}`, params)),
          );
        }
      }
    }
    for (const method of ['documentSymbol', 'codeLens']) {
      const params = { textDocument: { uri } };
      shown.push(
        JSON.stringify(await client.connection.sendRequest(`textDocument/${method}`, params)),
      );
    }
    shown.push(client.stderr);
    assert.equal(await client.stop(), 0);
    for (const said of shown) assert.deepEqual(secretsIn(said), [], said.slice(0, 2000));
  });

  it('no process of a job had one in its environment, but for what the entry gives to its sessions', () => {
    if (!existsSync('/proc/self/environ')) return;
    assert.ok(environments.size > 2, 'agents and their commands were seen');
    const wrong = [...environments]
      .flatMap(secretsIn)
      .filter((name) => name !== 'sessionEnvironment');
    assert.deepEqual([...new Set(wrong)], []);
  });

  it('no argument list of any process ever held one', () => {
    const all = [...argv];
    if (existsSync('/proc/self/cmdline'))
      assert.ok(
        all.some((line) => /--settings/.test(line)),
        'the session was seen',
      );
    assert.deepEqual(
      all.filter((line) => secretsIn(line).length > 0),
      [],
    );
  });

  it('not a byte of the state folder holds one: store with its log, transcripts, receipts, settings of sessions', () => {
    assert.ok(existsSync(join(world.repo.stateDir, 'bridge.sqlite')));
    assert.deepEqual(secretsBelow(world.repo.stateDir), {});
  });

  it('and neither does the repository', () => {
    assert.deepEqual(secretsBelow(world.repo.root), {});
  });
});
