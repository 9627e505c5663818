import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';

describe('what VS Code asks of the engine for first steps', () => {
  let world: BridgeWorld;
  before(async () => (world = await bridgeWorld({ models: 'gates: {}\n' })));
  after(() => world.dispose());
  const sidecar = (): string => join(dirname(world.modelsFile), 'models.local.yaml');

  it('says what answers at an address and writes nothing', async () => {
    const { bridge, repo, rehearsal } = world;
    const tried = await bridge.endpoints.try(`${rehearsal.url}/v1/messages`, { cwd: repo.root });
    assert.equal(tried.baseUrl, rehearsal.url);
    assert.equal(tried.locality, 'local');
    assert.equal(tried.probe.state, 'up');
    assert.deepEqual(
      tried.probe.models.map(({ id }) => id),
      ['rehearsal'],
    );
    assert.equal(tried.registeredAs, null);
    assert.equal(existsSync(sidecar()), false);
    for (const address of ['ftp://x', 'non sense', 'http://me:pw@127.0.0.1:1'])
      await assert.rejects(
        bridge.endpoints.try(address, { cwd: repo.root }),
        isKind('bad_argument'),
      );
  });

  it('registers an endpoint, knows it by its address, and takes it back', async () => {
    const { bridge, repo, rehearsal } = world;
    await bridge.endpoints.register('tower', { baseUrl: rehearsal.url }, repo.root);
    const tried = await bridge.endpoints.try(rehearsal.url, { cwd: repo.root });
    assert.equal(tried.registeredAs, 'tower');
    const { endpoints } = await bridge.configFacts(repo.root);
    assert.deepEqual(endpoints, [{ name: 'tower', baseUrl: rehearsal.url, source: sidecar() }]);

    await assert.rejects(
      bridge.endpoints.remove('tower', 'http://127.0.0.1:1', repo.root),
      isKind('wrong_state'),
    );
    assert.deepEqual(await bridge.endpoints.remove('tower', rehearsal.url, repo.root), {
      file: sidecar(),
      isStillThere: false,
    });
    await assert.rejects(
      bridge.endpoints.remove('tower', rehearsal.url, repo.root),
      isKind('unknown_endpoint'),
    );
  });

  it('shows what a repository brings along, hides its keys, and trusts only what was shown', async () => {
    const { bridge, repo } = world;
    const file = join(repo.root, 'models.yaml');
    const write = (run: string): void =>
      writeFileSync(
        file,
        `endpoints:\n  theirs: { base_url: "http://127.0.0.1:9", api_key: sk-very-secret }\ngates:\n  evil: { run: ${run} }\n`,
      );
    write('touch evil');
    const shown = await bridge.trusted.subject(repo.root);
    assert.equal(shown.isTrusted, false);
    const values = Object.fromEntries(shown.values.map(({ key, value }) => [key, value]));
    assert.equal(values['gates.evil.run'], '"touch evil"');
    assert.equal(values['endpoints.theirs.api_key'], '"(hidden)"');
    assert.ok(!JSON.stringify(shown).includes('sk-very-secret'));

    write('rm -rf x');
    await assert.rejects(bridge.trusted.add(repo.root, shown.fingerprint), isKind('wrong_state'));
    assert.equal((await bridge.trusted.subject(repo.root)).isTrusted, false);
    const again = await bridge.trusted.subject(repo.root);
    await bridge.trusted.add(repo.root, again.fingerprint);
    assert.equal((await bridge.trusted.subject(repo.root)).isTrusted, true);
    assert.equal(await bridge.trusted.remove(repo.root), true);
    assert.equal((await bridge.trusted.subject(repo.root)).isTrusted, false);
  });

  it('takes trust back from a file that cannot be read any more', async () => {
    const { bridge, repo } = world;
    await bridge.trusted.add(repo.root);
    writeFileSync(join(repo.root, 'models.yaml'), 'endpoints: [\n');
    assert.equal(await bridge.trusted.remove(repo.root), true);
  });

  it('makes a practice repository with one commit and a red test', async () => {
    const { bridge, repo } = world;
    const { folder } = await bridge.makePracticeRepository(join(repo.scratch, 'practice'));
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: folder, env: world.env, encoding: 'utf8' }).trim();
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(git('log', '--format=%s'), 'A range with a bug');
    assert.throws(() => execFileSync(process.execPath, ['--test'], { cwd: folder, stdio: 'pipe' }));
    await assert.rejects(bridge.makePracticeRepository(folder), isKind('bad_argument'));
    await assert.rejects(
      bridge.makePracticeRepository(join(repo.stateDir, 'x')),
      isKind('workdir_forbidden'),
    );
  });

  it('says in a dry run what each job takes, and nothing of it afterwards', async () => {
    const { bridge } = world;
    const plan = await bridge.gc({ dryRun: true });
    assert.deepEqual(plan.disk, []);
    assert.deepEqual((await bridge.gc({ dryRun: false })).disk, []);
  });

  it('refuses all that in a restricted window, except to say what is configured', async () => {
    const restricted = world.openBridge({ isRestricted: true });
    const { repo, rehearsal } = world;
    for (const refused of [
      () => restricted.endpoints.try(rehearsal.url, { cwd: repo.root }),
      () => restricted.endpoints.remove('x', rehearsal.url, repo.root),
      () => restricted.makePracticeRepository(join(repo.scratch, 'no')),
      () => restricted.trusted.subject(repo.root),
    ])
      await assert.rejects(refused, isKind('restricted'));
    assert.equal((await restricted.configFacts(repo.root)).configFile, world.modelsFile);
    await restricted.dispose();
  });

  it('has a rehearsal server that ends when whoever started it is gone', async () => {
    const child = world.start('cli.cjs', ['rehearse', '--json', '--with-parent', '--port', '0']);
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const { url } = await world.until('its address', () =>
      said.includes('\n') ? (JSON.parse(said) as { url: string }) : null,
    );
    assert.equal((await fetch(`${url}/v1/models`)).status, 200);

    const taken = await world.cli('rehearse', '--port', URL.parse(url)?.port ?? '');
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /^Port \d+ is in use\./);

    child.stdin?.destroy();
    await world.until('its end', () => child.exitCode !== null || child.signalCode !== null);
    assert.equal(child.exitCode, 0);
    assert.ok(readFileSync(world.modelsFile, 'utf8').length > 0);
  });
});

function isKind(kind: BridgeError['kind']): (error: unknown) => boolean {
  return (error) => BridgeError.is(error, kind);
}
