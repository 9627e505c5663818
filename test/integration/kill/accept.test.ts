import assert from 'node:assert/strict';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { afterEach, it } from 'mocha';
import { JOURNAL_NAME } from '../../../src/bridge/worktrees/journal.ts';
import { startCommand } from '../../support/cliRun.ts';
import { KillWorld } from '../../support/killWorld.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const COUNT = 400;

describeWithClaude('delegate accept killed with -9 while it writes', function () {
  this.timeout(180_000);
  let kill: KillWorld;
  afterEach(() => kill.dispose());

  it('the next accept makes it whole, and nothing of the first is left over', async () => {
    kill = await KillWorld.open();
    const { world } = kill;
    const id = await kill.submit({
      lines: [`run: for i in $(seq ${COUNT}); do echo $i > new-$i.txt; done`, 'say: ok'],
    });
    assert.equal((await kill.assertOver(id)).filesChanged.length, COUNT);
    const jobDir = join(world.repo.stateDir, 'jobs', id);
    const journal = join(jobDir, JOURNAL_NAME);

    const { child, ended } = startCommand(world, ['accept', id]);
    const watcher = watch(jobDir, () => {
      if (existsSync(journal)) child.kill('SIGKILL');
    });
    const { code, stderr } = await ended;
    watcher.close();
    assert.equal(code, null, `it was killed: ${stderr}`);
    assert.ok(existsSync(journal), 'it was killed in the middle');
    assert.equal(kill.job(id).review.status, 'pending');

    const again = await world.cli('accept', id);
    assert.equal(again.code, 0, again.stderr);
    assert.equal(existsSync(journal), false);
    const status = world.repo.git('status', '--porcelain').trim().split('\n').sort();
    const expected = Array.from({ length: COUNT }, (_, index) => `?? new-${index + 1}.txt`).sort();
    assert.deepEqual(status, expected);
    assert.equal(kill.job(id).review.status, 'accepted');
    const undone = await world.cli('undo', id);
    assert.equal(undone.code, 0, undone.stderr);
    assert.equal(world.repo.git('status', '--porcelain'), '');
  });
});
