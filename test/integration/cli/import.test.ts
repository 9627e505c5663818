import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';
import { runCommand } from '../../support/cliRun.ts';
import {
  LM_STUDIO_MODELS,
  type ModelListServer,
  modelListServer,
  OLLAMA_TAGS,
} from '../../support/modelListServer.ts';

const KEY = 'sk-known-and-hushed';
const OWN = 'sk-own-and-hushed';

/** Everything below a folder that any process wrote, but for the one place of secrets and the file that was imported. */
function writtenBelow(folder: string): string {
  const { stdout } = spawnSync(
    'grep',
    ['-rIl', '--exclude=secrets.json', '--exclude=litellm.yaml', KEY, folder],
    { encoding: 'utf8' },
  );
  return stdout;
}

describe('delegate import', function () {
  this.timeout(60_000);
  let world: BridgeWorld;
  const servers: ModelListServer[] = [];
  const MODELS = `# mine
endpoints:
  rehearsal: { base_url: URL, max_concurrent: 50 }   # keep
  own: { base_url: http://own:1, api_key: ${OWN} }
`;

  before(async () => (world = await bridgeWorld()));
  after(() => world.dispose());
  beforeEach(() => world.writeModels(MODELS));
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  const serve = async (bodies: Readonly<Record<string, unknown>>): Promise<ModelListServer> => {
    const server = await modelListServer(bodies);
    servers.push(server);
    return server;
  };
  const file = (name: string, text: string): string => {
    const path = join(world.repo.scratch, name);
    writeFileSync(path, text);
    return path;
  };
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runCommand(world, ['import', ...args], { env });
  const models = (): string => readFileSync(world.modelsFile, 'utf8');
  const liteLlm = (): string =>
    file(
      'litellm.yaml',
      `model_list:
  - model_name: local-rehearsal
    litellm_params: { model: openai/rehearsal, api_base: ${world.rehearsal.url}/v1, api_key: none }
  - model_name: far
    litellm_params: { model: openai/far, api_base: "http://far.example:8000/v1", api_key: ${KEY} }
general_settings: { master_key: ${KEY}-2 }
`,
    );

  it('shows a diff that can be applied, says what is left out, and writes nothing', async () => {
    const before = models();
    const { code, stdout, stderr } = await run(['litellm', liteLlm(), '--as', 'direct']);
    assert.equal(code, 0, stderr);
    assert.equal(models(), before);
    assert.match(stdout, /^\+ +far\.example:/m);
    assert.match(stdout, /^\+.*\$\{secret:litellm-openai-far\.example\}/m);
    assert.match(stderr, /^The address of "local-8?\d*" is there already as "rehearsal"\.$/m);
    assert.match(stderr, /^Nothing has been written; --write does\.$/m);
    assert.match(stderr, /1 key of the file is only referred to/);
    assert.ok(
      !`${stdout}${stderr}`.includes('hushed'),
      'neither its keys nor those of models.yaml',
    );
    // The masked line of models.yaml apart the diff is one: it is put in place for git.
    const target = file('patched.yaml', before);
    const patch = file(
      'x.patch',
      stdout.replace(/\[secret [^\]]*\]/g, OWN).replaceAll(world.modelsFile, 'patched.yaml'),
    );
    execFileSync('git', ['apply', '-p0', patch], { cwd: world.repo.scratch, env: world.env });
    const written = await run(['litellm', liteLlm(), '--as', 'direct', '--write']);
    assert.equal(written.code, 0, written.stderr);
    assert.equal(models(), readFileSync(target, 'utf8'));
  });

  it('writes what it has shown, keeps keys when told to, and has nothing to do the second time', async () => {
    const args = ['litellm', liteLlm(), '--as', 'direct', '--write', '--keep-keys'];
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Written: /);
    assert.match(stderr, /^Kept litellm-openai-far\.example in the secret store\.$/m);
    const text = models();
    assert.ok(text.startsWith('# mine\n') && text.includes('# keep\n'));
    const secrets = JSON.parse(
      readFileSync(join(dirname(world.modelsFile), 'secrets.json'), 'utf8'),
    ) as Record<string, string>;
    assert.deepEqual(Object.entries(secrets), [['litellm-openai-far.example', KEY]]);
    assert.equal(writtenBelow(world.repo.scratch), '');
    const again = await run(args);
    assert.match(again.stdout, /says all of it already/);
    assert.equal(models(), text);
    rmSync(join(dirname(world.modelsFile), 'secrets.json'));
  });

  it('makes a file that works: a model behind LiteLLM is reached without it', async () => {
    rmSync(world.modelsFile);
    const { code, stderr } = await run([
      'litellm',
      liteLlm(),
      '--as',
      'direct',
      '--write',
      '--keep-keys',
    ]);
    assert.equal(code, 0, stderr);
    assert.equal(statSync(world.modelsFile).mode & 0o777, 0o600);
    const listed = await runCommand(world, ['models']);
    assert.match(listed.stdout, /^local-\d+ .*: reachable/m, listed.stdout);
    rmSync(join(dirname(world.modelsFile), 'secrets.json'));
  });

  it('takes LiteLLM itself when its file says so and it answers', async () => {
    const gateway = await serve({ '/health/liveliness': '"I\'m alive!"' });
    const itself = await run(['litellm', liteLlm(), '--url', gateway.url]);
    assert.match(itself.stdout, /^\+ +litellm:.*\n?.*/m);
    assert.ok(itself.stdout.includes(gateway.url));
    assert.ok(gateway.headers.every((headers) => !JSON.stringify(headers).includes('hushed')));
    await gateway.close();
    servers.length = 0;
    const direct = await run(['litellm', liteLlm(), '--url', gateway.url]);
    assert.match(direct.stdout, /far\.example/);
  });

  it('writes beside models.yaml when told to, which stays as it is', async () => {
    const before = models();
    const agents = file(
      'agents.yaml',
      'endpoints:\n  dgx: { base_url: http://dgx:8000/v1, backend: vLLM }\n',
    );
    const { code, stderr } = await run(['localagents', agents, '--to', 'sidecar', '--write']);
    assert.equal(code, 0, stderr);
    assert.equal(models(), before);
    const sidecar = world.modelsFile.replace(/\.yaml$/, '.local.yaml');
    assert.match(readFileSync(sidecar, 'utf8'), /base_url: http:\/\/dgx:8000\n/);
    const there = await run(['localagents', agents]);
    assert.match(there.stdout, /says all of it already/);
    assert.match(there.stderr, /already as "dgx", in the file beside this one/);
    rmSync(sidecar);
  });

  it('keeps a link to the file a link', async () => {
    const real = join(world.repo.scratch, 'dotfiles.yaml');
    renameSync(world.modelsFile, real);
    symlinkSync(real, world.modelsFile);
    const { code } = await run([
      'localagents',
      file('a.yaml', 'endpoints: { a: { base_url: "http://a" } }'),
      '--write',
    ]);
    assert.equal(code, 0);
    assert.ok(lstatSync(world.modelsFile).isSymbolicLink());
    assert.match(readFileSync(real, 'utf8'), /http:\/\/a/);
    rmSync(world.modelsFile);
  });

  it('takes the variables of delegate-local', async () => {
    const env = { DELEGATE_LOCAL_URL: 'http://box:4000', DELEGATE_LOCAL_KEY: KEY };
    const { code, stdout, stderr } = await run(['environment'], env);
    assert.equal(code, 0);
    assert.match(stdout, /^\+ +delegate-local:/m);
    assert.match(stderr, /^Keep DELEGATE_LOCAL_KEY set/m);
    assert.ok(!`${stdout}${stderr}`.includes(KEY));
  });

  it('asks an Ollama and an LM Studio for their lists, and nothing else', async () => {
    const ollama = await serve({ '/api/tags': OLLAMA_TAGS });
    const studio = await serve({ '/api/v0/models': LM_STUDIO_MODELS });
    const first = await run(['ollama'], { OLLAMA_HOST: ollama.url });
    assert.match(first.stdout, /backend: ollama/);
    assert.match(first.stderr, /"gpt-oss:120b-cloud" runs in Ollama's cloud/);
    const second = await run(['lmstudio', '--url', `${studio.url}/v1`, '--json']);
    const answer = JSON.parse(second.stdout) as {
      diff: string;
      notes: string[];
      is_written: boolean;
    };
    assert.match(answer.diff, /backend: lmstudio/);
    assert.equal(answer.is_written, false);
    assert.match(answer.notes.join('\n'), /2 models, 1 loaded/);
    assert.deepEqual(
      [ollama.requests, studio.requests],
      [['GET /api/tags'], ['GET /api/v0/models']],
    );
  });

  it('says what is wrong, in words, and exits 1', async () => {
    const plain = await serve({ '/v1/models': 'no' });
    mkdirSync(join(world.repo.scratch, 'folder'), { recursive: true });
    const pipe = join(world.repo.scratch, 'pipe');
    if (!existsSync(pipe)) execFileSync('mkfifo', [pipe]);
    writeFileSync(join(world.repo.scratch, 'latin'), Buffer.from([0x61, 0xe9, 0x0a]));
    for (const [args, words] of [
      [[], /something is missing/],
      [['kong', 'x'], /nothing to import from "kong"/],
      [['litellm'], /litellm needs its file/],
      [['ollama', 'x.yaml'], /ollama has no file/],
      [['litellm', join(world.repo.scratch, 'none.yaml')], /cannot be read: it does not exist/],
      [['litellm', join(world.repo.scratch, 'folder')], /cannot be read: it is a folder/],
      [['litellm', pipe], /cannot be read: it is no plain file/],
      [['litellm', join(world.repo.scratch, 'latin')], /cannot be read: it is no UTF-8 text/],
      [['litellm', file('big', '#'.repeat(1_100_000))], /has more than 1 MB/],
      [['litellm', file('broken', `a: [${KEY}\nb: 1`)], /^Line \d: /],
      [['localagents', file('list', '- a')], /not a group of keys/],
      [['ollama', '--url', plain.url], /What answers at .* is not Ollama/],
      [['lmstudio', '--url', 'http://127.0.0.1:1'], /LM Studio does not answer at/],
      [['ollama', '--url', 'http://me:pw@h'], /holds a password/],
    ] as const) {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, words);
      assert.equal(stdout, '');
      assert.ok(!stderr.includes(KEY));
    }
  });

  it('does not touch a models.yaml that is broken', async () => {
    world.writeModels('endpoints:\n  a: [\n');
    const before = models();
    const { code, stderr } = await run([
      'localagents',
      file('a.yaml', 'endpoints: { a: { base_url: "http://a" } }'),
      '--write',
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /is broken in line/);
    assert.equal(models(), before);
  });
});
