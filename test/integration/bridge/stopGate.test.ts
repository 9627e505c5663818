import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ReviewWorld, reviewWorld } from '../../support/reviewWorld.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
    return false;
  }
};

describe('a gate that a person stops', () => {
  let world: ReviewWorld;
  before(() => {
    world = reviewWorld({
      models: "gates:\n  slow: { run: 'echo $$ > started; sleep 120', kind: tests }\n",
    });
  });
  after(() => world.dispose());

  it('ends with its processes, and is no verdict', async () => {
    const job = await world.job({ writes: { 'a.txt': 'A\n' }, isGated: true });
    const before = world.bridge.job(job.id);
    const stop = new AbortController();
    const run = world.reviews.runGate(job.id, 'slow', stop.signal);
    run.catch(() => undefined);
    const started = join(job.root, 'started');
    const deadlineMs = Date.now() + 30_000;
    while (!existsSync(started) || readFileSync(started, 'utf8').trim() === '') {
      assert.ok(Date.now() < deadlineMs, 'the gate runs');
      await delay(20);
    }
    const pid = Number(readFileSync(started, 'utf8'));
    assert.ok(isAlive(pid));
    stop.abort();
    await assert.rejects(run, { kind: 'cancelled' });
    assert.ok(!isAlive(pid));
    assert.deepEqual(world.bridge.job(job.id), before);
  });
});
