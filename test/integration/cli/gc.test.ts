import { afterEach, beforeEach, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobRecord } from '../../../src/protocol/job.ts';
import { type BridgeWorld, bridgeWorld, PERSON, script } from '../../support/bridgeWorld.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

describeWithClaude('gc takes no work away', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  beforeEach(async () => {
    // Everything is too old, so that only the rules keep what is kept.
    world = await bridgeWorld({
      models: 'endpoints:\n  rehearsal: { base_url: URL }\nretention: { days: 0.000000001 }\n',
    });
  });
  afterEach(() => world.dispose());

  const made = async (name: string, more: object = {}): Promise<JobRecord> =>
    world.run({ task: script(`write ${name}: ${name}`, 'say: It is made.'), ...more });
  const fileOf = (job: JobRecord, name: string): string => join(job.worktree?.root ?? '', name);

  it('the commit of an accept on a branch, and the worktree it was made in', async () => {
    const job = await made('a.txt');
    const { result } = await world.bridge.reviews.accept(job.id, PERSON, { how: 'branch' });
    await world.bridge.gc({ dryRun: false });
    assert.equal(world.repo.git('rev-parse', `delegate/${job.id}`).trim(), result.commit);
    assert.ok(existsSync(fileOf(job, 'a.txt')));
  });

  it('the tree of a job that is accepted, while a resumed one waits for review in it', async () => {
    const first = await made('a.txt');
    await world.bridge.reviews.accept(first.id, PERSON, { how: 'branch' });
    const second = await made('b.txt', { resumeJob: first.id });
    assert.equal(second.worktree?.root, first.worktree?.root);
    await world.bridge.gc({ dryRun: false });
    assert.ok(existsSync(fileOf(second, 'b.txt')));
    const diff = await world.bridge.diff(second.id);
    assert.deepEqual(diff.files.map((file) => file.path).sort(), ['a.txt', 'b.txt']);
  });

  it('what was rejected can be restored, what was accepted undone, and receipts stay', async () => {
    const [rejected, accepted] = [await made('a.txt'), await made('b.txt')];
    await world.bridge.reviews.reject(rejected.id, PERSON);
    await world.bridge.reviews.accept(accepted.id, PERSON);
    const looked = await made('c.txt', { task: script('say: Nothing to do.') });
    const mine = world.repo.commit({ 'mine.txt': 'on a branch of that name' });
    world.repo.git('branch', `delegate/${rejected.id}`, mine);
    const report = await world.bridge.gc({ dryRun: false });
    assert.equal(world.repo.git('rev-parse', `delegate/${rejected.id}`).trim(), mine);
    world.repo.git('branch', '-D', `delegate/${rejected.id}`);
    assert.deepEqual(report.removedJobs, [looked.id], 'only what holds no work');
    assert.equal(existsSync(join(world.repo.stateDir, 'jobs', looked.id)), false);
    assert.equal(world.bridge.job(looked.id).result, 'Nothing to do.', 'its receipt is there');
    assert.deepEqual((await world.bridge.gc({ dryRun: false })).removedJobs, [], 'once');
    await world.bridge.reviews.restore(rejected.id, PERSON);
    assert.ok(existsSync(fileOf(rejected, 'a.txt')));
    await world.bridge.reviews.undoAccept(accepted.id, PERSON);
    assert.equal(existsSync(join(world.repo.root, 'b.txt')), false);
  });

  it('the folder of a job that was never stored goes after a day; one that holds more than its beginnings stays', async () => {
    const folder = (id: string, files: readonly string[], ageDays: number): string => {
      const path = join(world.repo.stateDir, 'jobs', id);
      mkdirSync(path);
      for (const file of files) writeFileSync(join(path, file), 'x');
      const at = Date.now() / 1000 - ageDays * 24 * 3600;
      utimesSync(path, at, at);
      return path;
    };
    const begun = folder('loop-20200101-000000-begun', ['task.md', 'config.json'], 2);
    const young = folder('loop-20200101-000000-young', ['task.md'], 0.9);
    const ran = folder('loop-20200101-000000-ran', ['task.md', 'config.json', 'result.md'], 99);
    const planned = await world.bridge.gc({ dryRun: true });
    assert.equal(planned.freedBytes, 2);
    assert.ok(existsSync(begun), 'nothing goes while one only looks');
    assert.deepEqual((await world.bridge.gc({ dryRun: false })).removedJobs, []);
    assert.deepEqual([begun, young, ran].map(existsSync), [false, true, true]);
  });
});
