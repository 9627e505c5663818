import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withReplacements } from '../../../src/config/edit/textReplacement.ts';
import type { Bridge } from '../../../src/bridge/bridge.ts';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { sha256Of } from '../../../src/bridge/sha256Of.ts';
import {
  importConfig,
  importSources,
  keepImportKeys,
} from '../../../src/protocol/ui/importConfig.ts';
import { findLiteLlm } from '../../../tools/liteLlm.mjs';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';
import { startLiteLlm } from '../../support/liteLlm.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import {
  LM_STUDIO_MODELS,
  type ModelListServer,
  modelListServer,
  OLLAMA_TAGS,
} from '../../support/modelListServer.ts';
import { skipBecause } from '../../support/skipBecause.ts';

const KEY = 'sk-known-and-hushed';
const found = await findLiteLlm();

describe('import_config and its kin, over stdio', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let mcp: McpTestClient;
  let liteLlm: string;
  let ollama: ModelListServer;

  before(async () => {
    ollama = await modelListServer({ '/api/tags': OLLAMA_TAGS });
    world = await bridgeWorld({ env: { OLLAMA_HOST: ollama.url, DELEGATE_LOCAL_KEY: KEY } });
    liteLlm = join(world.repo.root, 'litellm.yaml');
    writeFileSync(
      liteLlm,
      `model_list:
  - { model_name: far, litellm_params: { model: openai/far, api_base: "http://far.example/v1", api_key: ${KEY} } }
`,
    );
    const child = world.start('server.cjs', ['--profile', 'ui']);
    mcp = await McpTestClient.connect(child, { name: 'delegation-bridge-vscode' });
    await mcp.client.listTools();
  });
  after(async () => {
    assert.equal(await mcp.leave(), 0);
    await ollama.close();
    await world.dispose();
  });

  it('gives the changes of the text as an editor has it, and never a key', async () => {
    const before = readFileSync(world.modelsFile, 'utf8');
    const text = `# not saved\n${before}`;
    const { fields, isError } = await mcp.call('import_config', {
      from: { kind: 'litellm', path: liteLlm },
      text,
    });
    assert.equal(isError, false, JSON.stringify(fields));
    const plan = importConfig.output.parse(fields);
    const changes = plan.replacements.map(({ start, end, new_text: newText }) => ({
      start,
      end,
      newText,
    }));
    const after = withReplacements(text, changes);
    assert.equal(sha256Of(text), plan.before_sha256);
    assert.equal(sha256Of(after), plan.after_sha256);
    assert.ok(after.startsWith('# not saved\n') && after.includes('http://far.example'));
    assert.deepEqual(plan.secrets, [
      {
        name: 'litellm-openai-far.example',
        source: 'litellm_params.api_key of "far"',
        is_kept: false,
      },
    ]);
    assert.ok(!JSON.stringify(fields).includes(KEY));
    assert.equal(plan.is_new, false);
    assert.equal(readFileSync(world.modelsFile, 'utf8'), before, 'nothing was written');
  });

  it('keeps the keys that were shown, and refuses those of another version of the file', async () => {
    const from = { kind: 'litellm', path: liteLlm };
    const plan = importConfig.output.parse((await mcp.call('import_config', { from })).fields);
    const names = plan.secrets.map(({ name }) => name);
    const shown = readFileSync(liteLlm, 'utf8');
    writeFileSync(liteLlm, `${shown}# changed\n`);
    const refused = await mcp.call('keep_import_keys', {
      from,
      names,
      source_sha256: plan.source_sha256,
    });
    assert.equal(refused.fields['error'].kind, 'conflict');
    writeFileSync(liteLlm, shown);
    const other = await mcp.call('keep_import_keys', {
      ...{ from, names: ['another'], source_sha256: plan.source_sha256 },
    });
    assert.equal(other.fields['error'].kind, 'bad_argument');
    const { fields } = await mcp.call('keep_import_keys', {
      ...{ from, names, source_sha256: plan.source_sha256 },
    });
    assert.deepEqual(keepImportKeys.output.parse(fields), { kept: names });
    assert.ok(!JSON.stringify(fields).includes(KEY));
    assert.deepEqual(world.bridge.secrets.state().names, names);
    const again = importConfig.output.parse((await mcp.call('import_config', { from })).fields);
    assert.deepEqual(
      again.secrets.map(({ is_kept: isKept }) => isKept),
      [true],
    );
    const { stdout } = spawnSync('grep', [
      '-rIl',
      '--exclude=secrets.json',
      KEY,
      world.repo.stateDir,
    ]);
    assert.equal(stdout.toString(), '', 'no key in the state folder');
    rmSync(join(dirname(world.modelsFile), 'secrets.json'));
  });

  it('names what is wrong with the result as the doctor does', async () => {
    const agents = join(world.repo.scratch, 'agents.yaml');
    writeFileSync(agents, 'endpoints: { far: { base_url: "http://8.8.8.8", locality: local } }\n');
    const { fields } = await mcp.call('import_config', {
      from: { kind: 'localagents', path: agents },
    });
    const { problems } = importConfig.output.parse(fields);
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.message ?? '', /^"far" is called local but its address is public/);
    assert.ok((problems[0]?.line ?? 0) > 0);
  });

  it('finds the files of the usual places, set variables, and servers that answer', async () => {
    const folder = join(dirname(dirname(world.modelsFile)), 'localagents');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'models.yaml'), 'endpoints: {}\n');
    writeFileSync(join(world.repo.root, 'config.yaml'), 'something: else\n');
    const { fields } = await mcp.call('import_sources', { cwd: world.repo.root });
    const sources = importSources.output.parse(fields).found;
    assert.deepEqual(
      // An LM Studio of the machine that runs this may answer as well.
      sources
        .filter(({ kind }) => kind !== 'lmstudio')
        .map(({ kind, path, base_url: url }) => [kind, path ?? url]),
      [
        ['localagents', join(folder, 'models.yaml')],
        ['litellm', liteLlm],
        ['environment', null],
        ['ollama', ollama.url],
      ],
    );
    rmSync(folder, { recursive: true });
  });

  it('in Restricted Mode shows files, and asks no server and keeps nothing', async () => {
    const bridge: Bridge = world.openBridge({ isRestricted: true });
    const options = { cwd: world.repo.root };
    const asked = ollama.requests.length;
    const isRestricted = (error: unknown): boolean => BridgeError.is(error, 'restricted');
    const from = { kind: 'litellm', path: liteLlm } as const;
    const plan = await bridge.imports.plan({ from, target: 'file' }, options);
    assert.match(plan.after, /far\.example/);
    assert.ok((await bridge.imports.sources(options)).every(({ baseUrl }) => baseUrl === null));
    await assert.rejects(
      bridge.imports.plan({ from: { kind: 'ollama' }, target: 'file' }, options),
      isRestricted,
    );
    await assert.rejects(
      bridge.imports.keepKeys(from, { names: ['x'], sha256: plan.sourceSha256 }, options),
      isRestricted,
    );
    assert.throws(() => bridge.imports.write(plan), isRestricted);
    assert.equal(ollama.requests.length, asked);
    await bridge.dispose();
  });

  it('takes no file that a LiteLLM configuration includes from elsewhere', async () => {
    const folder = join(world.repo.scratch, 'lite');
    mkdirSync(folder, { recursive: true });
    const outside = join(world.repo.scratch, 'outside.yaml');
    const list = (name: string): string =>
      `model_list: [{ model_name: ${name}, litellm_params: { model: openai/${name}, api_base: "http://${name}" } }]\n`;
    writeFileSync(outside, list('outside'));
    writeFileSync(join(folder, 'inside.yaml'), list('inside'));
    const main = join(folder, 'config.yaml');
    writeFileSync(main, `include: [inside.yaml, ../outside.yaml, ${outside}]\n`);
    const { after, notes } = await world.bridge.imports.plan(
      { from: { kind: 'litellm', path: main }, target: 'file' },
      { cwd: '/' },
    );
    assert.match(after, /http:\/\/inside/);
    assert.doesNotMatch(after, /http:\/\/outside/);
    assert.equal(notes.filter((note) => note.includes('was not read')).length, 2);
  });
});

describe(`what is imported from a real LiteLLM${found.ok ? '' : ` (skipped: ${found.reason})`}`, function () {
  this.timeout(180_000);
  it('is asked with its key, and says its models', async function () {
    if (!found.ok) skipBecause(this, found.reason);
    const world = await bridgeWorld({ env: { PROXY_KEY: KEY } });
    const proxy = await startLiteLlm({
      binary: found.path,
      masterKey: KEY,
      models: { alias: { provider: 'openai', model: 'rehearsal', url: world.rehearsal.url } },
    });
    try {
      const config = join(world.repo.scratch, 'litellm.yaml');
      writeFileSync(
        config,
        'model_list: []\ngeneral_settings: { master_key: os.environ/PROXY_KEY }\n',
      );
      const plan = await world.bridge.imports.plan(
        { from: { kind: 'litellm', path: config, baseUrl: proxy.url }, target: 'file' },
        { cwd: world.repo.root },
      );
      world.bridge.imports.write(plan);
      const { endpoints } = await world.bridge.listModels({ cwd: world.repo.root });
      const litellm = endpoints.find(({ name }) => name === 'litellm');
      assert.equal(litellm?.probe.state, 'up', JSON.stringify(litellm?.probe));
      assert.deepEqual(
        litellm.probe.models.map(({ id }) => id),
        ['alias'],
      );
    } finally {
      await proxy.stop();
      await world.dispose();
    }
  });
});

describe('what is imported from servers with their own lists', function () {
  this.timeout(60_000);

  it('is probed as what it is', async () => {
    const studio = await modelListServer({
      '/api/v0/models': LM_STUDIO_MODELS,
      '/v1/models': { data: LM_STUDIO_MODELS.data.map(({ id }) => ({ id })) },
    });
    const world = await bridgeWorld();
    try {
      const plan = await world.bridge.imports.plan(
        { from: { kind: 'lmstudio', baseUrl: studio.url }, target: 'sidecar' },
        { cwd: world.repo.root },
      );
      assert.equal(existsSync(plan.targetFile), false);
      world.bridge.imports.write(plan);
      const { endpoints } = await world.bridge.listModels({ cwd: world.repo.root });
      const view = endpoints.find(({ name }) => name === 'lmstudio');
      assert.equal(view?.probe.backend, 'lmstudio');
      assert.equal(view.probe.models.length, 2);
    } finally {
      await world.dispose();
      await studio.close();
    }
  });
});
