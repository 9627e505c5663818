import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';
import { runCommand } from '../../support/cliRun.ts';

const KEY = 'sk-known-and-hushed';

describe('delegate migrate', () => {
  let world: BridgeWorld;
  let env: Record<string, string>;
  before(async () => {
    world = await bridgeWorld();
    env = {
      DELEGATE_LOCAL_URL: `${world.rehearsal.url}/v1/messages`,
      DELEGATE_LOCAL_KEY: KEY,
      DELEGATE_LOCAL_MODEL: 'rehearsal',
      DELEGATE_CONCURRENCY_GLM: '3',
      DELEGATE_TURN_TIMEOUT: 'long',
    };
  });
  after(() => world.dispose());

  it('prints a file, and beside it what is left to do', async () => {
    const { code, stdout, stderr } = await runCommand(world, ['migrate'], { env });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ {2}glm-: \{ slots: 3 \}$/m);
    assert.match(stdout, /^ {4}api_key: \$\{env:DELEGATE_LOCAL_KEY\}$/m);
    assert.match(stderr, /^Keep DELEGATE_LOCAL_KEY set/m);
    assert.match(stderr, /^Not taken over: \$DELEGATE_TURN_TIMEOUT/m);
    assert.ok(!`${stdout}${stderr}`.includes(KEY));
  });

  it('writes a file that works without the variables but for the key, and never overwrites one', async () => {
    const file = join(world.repo.scratch, 'new folder', 'models.yaml');
    const written = await runCommand(world, ['migrate', '--write', file], { env });
    assert.equal(written.code, 0, written.stderr);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const text = readFileSync(file, 'utf8');
    const models = await runCommand(world, ['models', '--config', file], {
      env: { DELEGATE_LOCAL_KEY: KEY },
    });
    assert.match(models.stdout, /^delegate-local .*: reachable/m, models.stdout + models.stderr);
    const doctor = await runCommand(world, ['doctor', '--config', file], {
      env: { DELEGATE_LOCAL_KEY: KEY },
    });
    assert.equal(doctor.code, 0, doctor.stdout);

    const again = await runCommand(world, ['migrate', '--write', file], { env: {} });
    assert.equal(again.code, 1);
    assert.match(again.stderr, /is there already; nothing was written/);
    assert.equal(readFileSync(file, 'utf8'), text);
  });

  it('does not write through a link that leads nowhere', async () => {
    const link = join(world.repo.scratch, 'link.yaml');
    const target = join(world.repo.scratch, 'target.yaml');
    symlinkSync(target, link);
    const { code } = await runCommand(world, ['migrate', '--write', link], { env });
    assert.equal(code, 1);
    assert.equal(existsSync(target), false);
  });
});
