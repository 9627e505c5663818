import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BridgeWorld, bridgeWorld, ROOT } from '../../support/bridgeWorld.ts';

const ROUNDS = 4;
const SETTINGS = '{\r\n\t// mine\r\n\t"hooks": { "Stop": [] }\r\n}';

describe('delegate setup, killed at any moment', function () {
  this.timeout(300_000);
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld();
  });
  after(() => world.dispose());

  const tree = (): Record<string, string> =>
    Object.fromEntries(
      fs
        .readdirSync(world.repo.home, { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => {
          const file = join(world.repo.home, name);
          return [name, fs.statSync(file).isFile() ? fs.readFileSync(file, 'utf8') : ''];
        }),
    );
  /** The command, ended with SIGKILL as soon as `isTime` holds. */
  const killed = async (args: readonly string[], isTime: () => boolean): Promise<void> => {
    const child = spawn(process.execPath, [join(ROOT, 'bin/delegate.cjs'), 'setup', ...args], {
      cwd: world.repo.root,
      env: world.env,
      stdio: 'ignore',
    });
    const closed = new Promise((resolve) => child.once('close', resolve));
    while (!isTime() && child.exitCode === null) await delay(1);
    child.kill('SIGKILL');
    await closed;
    // Taken over by age otherwise, which is another test's business.
    fs.rmSync(join(world.repo.home, '.claude.json.lock'), { recursive: true, force: true });
  };

  it('is brought to its end by the next run, and goes without a trace', async () => {
    fs.mkdirSync(join(world.repo.home, '.claude'));
    fs.writeFileSync(join(world.repo.home, '.claude/settings.json'), SETTINGS);
    const before = tree();
    const record = join(world.repo.stateDir, 'claude-setup.json');
    for (let round = 0; round < ROUNDS; round++) {
      const files = ['.claude.json', '.claude/skills', '.claude/agents'].map((name) =>
        join(world.repo.home, name),
      );
      const watched = [record, ...files][round % 4] ?? record;
      await killed(['--yes'], () => fs.existsSync(watched));
      assert.equal((await world.cli('setup', '--yes')).code, 0);
      const whole = tree();
      assert.ok(whole['.claude/agents/delegate-relay.md'] && whole['.claude.json']);
      await killed(['--remove', '--yes'], () => !fs.existsSync(watched));
      const { code, stdout } = await world.cli('setup', '--remove', '--yes');
      assert.equal(code, 0, stdout);
      assert.deepEqual(tree(), before, `round ${round}`);
    }
    assert.ok(!fs.existsSync(record));
  });
});
