import { after, before, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Libsecret } from '../../../src/bridge/secrets/libsecret.ts';
import { type BridgeWorld, bridgeWorld, ROOT, script } from '../../support/bridgeWorld.ts';
import {
  type SecretService,
  startSecretService,
  whyNoSecretService,
} from '../../support/secretService.ts';
import { skipBecause } from '../../support/skipBecause.ts';
import { textsBelow } from '../../support/textsBelow.ts';
import { ReplayServer } from '../../unit/bridge/endpoints/replayServer.ts';

const KEY = 'sk-in-the-keychain-0001';
const why = whyNoSecretService();

describe('secrets in the keychain of a Linux desktop', function () {
  this.timeout(120_000);
  let service: SecretService;
  let world: BridgeWorld;
  let server: ReplayServer;

  before(async function () {
    if (why !== null) return skipBecause(this, why);
    service = await startSecretService();
    const { DBUS_SESSION_BUS_ADDRESS: bus = '', XDG_RUNTIME_DIR: runtime = '' } = service.env;
    world = await bridgeWorld({
      env: { DBUS_SESSION_BUS_ADDRESS: bus, XDG_RUNTIME_DIR: runtime },
    });
    server = await ReplayServer.start({
      'GET /v1/models': { body: { data: [{ id: 'm', owned_by: 'me' }] } },
    });
  });
  after(async () => {
    if (why !== null) return;
    await server.stop();
    await world.dispose();
    await service.stop();
  });
  beforeEach(async () => {
    models('secrets: keychain\n');
    for (const name of world.bridge.secrets.state().names) await world.bridge.secrets.delete(name);
  });

  const models = (more: string): void =>
    world.writeModels(
      `endpoints:\n  rehearsal: { base_url: URL, api_key: "\${secret:tower}", max_concurrent: 50 }\n${more}`,
    );
  const configDir = (): string => join(world.modelsFile, '..');
  const secretFile = (): string => join(configDir(), 'secrets.json');

  it('keeps, replaces and deletes values of every form, and lists names alone', async () => {
    const { secrets } = world.bridge;
    for (const value of [
      KEY,
      'with space "quotes" $HOME `x`',
      'two\nlines\n',
      'ü€😀',
      'x'.repeat(8000),
    ]) {
      await secrets.set('tower', value);
      const direct = new Libsecret(world.env);
      assert.ok((await direct.get('tower')) === value, `a value of ${value.length} characters`);
    }
    assert.deepEqual(secrets.state(), { names: ['tower'], keptIn: 'keychain' });
    assert.equal(existsSync(secretFile()), false);
    assert.equal(readFileSync(join(configDir(), 'secret-names.json'), 'utf8'), '[\n  "tower"\n]\n');
    assert.equal(await secrets.delete('tower'), true);
    assert.equal(await secrets.delete('tower'), false);
    assert.deepEqual(secrets.state().names, []);
    await assert.rejects(secrets.set('../x', 'v'), { kind: 'bad_argument' });
    await assert.rejects(secrets.set('x', ''), { kind: 'bad_argument' });
    await assert.rejects(secrets.set('tower', 'x'.repeat(8001)), { kind: 'bad_argument' });
    assert.deepEqual(secrets.state().names, []);
  });

  it('a reference is resolved for a probe and for the host of a job, and the value is written nowhere', async () => {
    await world.bridge.secrets.set('tower', KEY);
    const tried = await world.bridge.endpoints.try(server.url, {
      cwd: world.repo.root,
      secret: 'tower',
      isToolCheckWanted: false,
    });
    assert.equal(tried.probe.state, 'up');
    assert.equal(server.seen.at(-1)?.headers['x-api-key'], KEY);
    const job = await world.run({ task: script('say: Done.'), runner: 'loop' });
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    for (const folder of [world.repo.stateDir, world.repo.root, configDir()]) {
      for (const { file, text } of textsBelow(folder)) assert.ok(!text.includes(KEY), file);
    }
  });

  it('a repository does not say where keys are looked for', async () => {
    models('');
    await world.bridge.secrets.set('tower', KEY);
    assert.equal(world.bridge.secrets.state().keptIn, 'file');
    world.repo.write('models.yaml', 'defaults: {}\nsecrets: keychain\n');
    await world.bridge.trusted.add(world.repo.root);
    const { secrets } = await world.bridge.effectiveConfig(world.repo.root);
    assert.equal(secrets, 'file');
    const { problems } = await world.bridge.configState(world.repo.root);
    assert.deepEqual(
      problems.map(({ code, line }) => [code, line]),
      [['not_active', 2]],
    );
    world.repo.git('clean', '-qfd');
    await world.bridge.secrets.delete('tower');
  });

  it('moves all of them there and back, says so in models.yaml, and leaves the rest of that file alone', async () => {
    models('# a comment that stays\n');
    const { secrets } = world.bridge;
    await secrets.set('tower', KEY);
    await secrets.set('other', 'second value');
    // A models.yaml in a repository of dotfiles is a link, and stays one.
    const real = join(world.repo.scratch, 'dotfiles.yaml');
    renameSync(world.modelsFile, real);
    symlinkSync(real, world.modelsFile);
    const before = readFileSync(real, 'utf8');
    const moved = await world.cli('secret', 'move', '--to', 'keychain');
    assert.equal(moved.code, 0, moved.stderr);
    assert.doesNotMatch(moved.stdout, /sk-in-the|second value/);
    assert.ok(lstatSync(world.modelsFile).isSymbolicLink());
    const after = readFileSync(real, 'utf8');
    assert.equal(after.replace(/^secrets: keychain\n/m, ''), before);
    assert.doesNotMatch(readFileSync(secretFile(), 'utf8'), /sk-in-the|second value/);
    assert.deepEqual(secrets.state(), { names: ['other', 'tower'], keptIn: 'keychain' });
    assert.equal(await new Libsecret(world.env).get('tower'), KEY);
    await assert.rejects(secrets.move('keychain'), { kind: 'wrong_state' });

    const back = await secrets.move('file');
    assert.deepEqual(back.names, ['other', 'tower']);
    assert.equal(await new Libsecret(world.env).get('tower'), null);
    assert.match(readFileSync(secretFile(), 'utf8'), /sk-in-the-keychain/);
    for (const name of ['other', 'tower']) await secrets.delete(name);
  });

  it('does not move over another value, nor takes anything away when models.yaml cannot be changed', async () => {
    models('');
    const { secrets } = world.bridge;
    await secrets.set('tower', KEY);
    const keychain = new Libsecret(world.env);
    await keychain.set('tower', 'of somebody else');
    await assert.rejects(secrets.move('keychain'), { kind: 'conflict', message: /tower/ });
    await keychain.delete('tower');
    writeFileSync(join(configDir(), 'models.local.yaml'), 'secrets: file\n');
    await assert.rejects(secrets.move('keychain'), {
      kind: 'config_invalid',
      message: /wins over/,
    });
    writeFileSync(join(configDir(), 'models.local.yaml'), '');
    assert.deepEqual(secrets.state(), { names: ['tower'], keptIn: 'file' });
    assert.match(readFileSync(secretFile(), 'utf8'), /sk-in-the-keychain/);
    await keychain.delete('tower');
    await secrets.delete('tower');
  });

  it('no value is an argument of any program, nor in its environment', async () => {
    const watched = join(world.repo.scratch, 'watch');
    // A program of the same name first on PATH notes how it is called, then is the real one.
    writeFileSync(
      join(world.repo.scratch, 'secret-tool'),
      `#!/bin/sh\n{ tr '\\0' ' ' < /proc/$$/cmdline; tr '\\0' ' ' < /proc/$$/environ; } >> ${watched}\nPATH=/usr/bin:/bin exec secret-tool "$@"\n`,
      { mode: 0o755 },
    );
    const env = { ...world.env, PATH: `${world.repo.scratch}:${world.env['PATH']}`, LEAK: KEY };
    const child = spawn(
      process.execPath,
      [join(ROOT, 'bin/delegate.cjs'), 'secret', 'set', 'tower'],
      {
        env,
        cwd: world.repo.root,
        stdio: ['pipe', 'ignore', 'pipe'],
      },
    );
    child.stdin.end(`${KEY}\n`);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(code, 0);
    assert.equal(await new Libsecret(world.env).get('tower'), KEY);
    const seen = readFileSync(watched, 'utf8');
    assert.match(seen, /store --label=Delegation Bridge: tower/);
    assert.ok(!seen.includes(KEY));
  });

  it('says in words what is missing: the program, the bus, the service, the unlocked keychain, the time', async () => {
    const kept = new Libsecret(world.env);
    await kept.set('tower', KEY);
    const bus = { ...world.env, XDG_RUNTIME_DIR: world.repo.scratch };
    const cases: [Record<string, string>, RegExp][] = [
      [{ ...world.env, PATH: world.repo.home, SHELL: '' }, /secret-tool is not installed/],
      [{ ...bus, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }, /no session bus/],
    ];
    for (const [env, message] of cases) {
      const keychain = new Libsecret(env);
      await assert.rejects(keychain.get('tower'), { kind: 'config_invalid', message });
      await assert.rejects(keychain.set('tower', 'x'), { kind: 'config_invalid', message });
    }
    const slow = join(world.repo.scratch, 'slow');
    mkdirSync(slow);
    writeFileSync(join(slow, 'secret-tool'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    const waiting = new Libsecret({ ...world.env, PATH: `${slow}:/usr/bin:/bin` }, 300);
    await assert.rejects(waiting.get('tower'), { message: /did not answer within/ });

    await service.lock();
    await assert.rejects(kept.get('tower'), { kind: 'config_invalid', message: /locked/ });
    await assert.rejects(kept.set('tower', 'x'), { kind: 'config_invalid', message: /locked/ });
    await assert.rejects(kept.delete('tower'), { kind: 'config_invalid', message: /locked/ });
    const { endpoints } = await world.bridge.listModels({ cwd: world.repo.root });
    assert.match(
      endpoints[0]?.probe.message ?? '',
      /locked/,
      'an endpoint without its key is down for that',
    );
    assert.match(endpoints[0]?.probe.hint ?? '', /Unlock it/);
    assert.equal((await world.cli('doctor')).code, 0, 'and nothing else stops');
    world.writeModels('gates: {}\n');
  });
});
