import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, it } from 'mocha';
import { JobStore } from '../../src/bridge/jobs/jobStore.ts';
import type { JobRecord } from '../../src/protocol/job.ts';
import { bridgeWorld, type BridgeWorld } from '../support/bridgeWorld.ts';
import { hostOf } from '../support/killProcesses.ts';
import { describeWithClaude } from '../support/withClaude.ts';
import { delegateBrief } from './support/delegateBrief.ts';
import { eventually } from './eventually.ts';
import { SAMPLE } from './support/hostSample.ts';
import { rehearsalTask } from './support/rehearsalTask.ts';
import { openWindow, runOfSuite, type OpenedWindow } from './support/openWindow.ts';
import { processesOfRun } from './support/processesOfRun.ts';

describeWithClaude('a job and the windows that come and go', function () {
  this.timeout(180_000);
  let world: BridgeWorld;
  let window: OpenedWindow | undefined;

  afterEach(async function () {
    await window?.close(this.currentTest);
    window = undefined;
    await world.dispose();
  });

  /** A window, and a job delegated in it that cannot end before `release` is called. */
  async function openWithJob(): Promise<{ id: string; release: () => void }> {
    world = await bridgeWorld({ ...SAMPLE, distDir: join(runOfSuite().extension, 'dist') });
    window = await openWindow(world);
    await eventually(() => window?.servers().length === 1, 'the extension has a server');
    const file = join(world.repo.scratch, 'released');
    await delegateBrief(
      window.driver,
      rehearsalTask(
        'Wait, then write',
        `run: while [ ! -e ${file} ]; do sleep 0.1; done`,
        'write done.txt: done',
        'say: Done.',
      ),
    );
    await eventually(() => world.bridge.list().length === 1, 'the job is in the store');
    const [{ id }] = world.bridge.list() as [JobRecord];
    await eventually(() => world.bridge.job(id).toolCalls > 0, 'the job is at its first command');
    return { id, release: () => writeFileSync(file, '') };
  }

  async function hasEndedOnce(id: string): Promise<void> {
    const job = await world.finished(id);
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.review.status, 'pending');
    const store = new JobStore(world.repo.stateDir);
    assert.equal(store.find(id)?.hostStarts, 1, 'its host was started once');
    store.close();
  }

  const oneNewServer = (before: number | undefined): Promise<void> =>
    eventually(() => {
      const servers = window?.servers() ?? [];
      return servers.length === 1 && servers[0]?.pid !== before;
    }, 'exactly one server, and a new one');

  it('goes on while the window is reloaded, and has one server afterwards', async () => {
    const { id, release } = await openWithJob();
    const [host, before] = [hostOf(id).pid, window?.servers()[0]?.pid];
    await window?.page.reload();
    await window?.page.waitForSelector('.monaco-workbench');
    await oneNewServer(before);
    assert.equal(hostOf(id).pid, host);
    release();
    await hasEndedOnce(id);
  });

  it('goes on when the extension host is killed, and has one server once that is back', async () => {
    const { id, release } = await openWithJob();
    const [host, before] = [hostOf(id).pid, window?.servers()[0]?.pid];
    const [extensionHost, ...others] = window?.extensionHosts() ?? [];
    assert.ok(extensionHost);
    assert.deepEqual(others, []);
    process.kill(extensionHost.pid, 'SIGKILL');
    await eventually(
      () => window?.servers().every(({ pid }) => pid !== before) === true,
      'the server of the dead extension host leaves',
    );
    await oneNewServer(before);
    assert.equal(hostOf(id).pid, host);
    release();
    await hasEndedOnce(id);
  });

  it('goes on when VS Code is closed, leaves nothing else behind, and is there for the next window', async () => {
    const { id, release } = await openWithJob();
    const host = hostOf(id).pid;
    await window?.close();
    await eventually(
      () => processesOfRun(world.repo.scratch).every(({ isOfJob }) => isOfJob),
      'nothing but the job is left',
    );
    assert.equal(hostOf(id).pid, host);
    release();
    await hasEndedOnce(id);
    await eventually(
      () => processesOfRun(world.repo.scratch).length === 0,
      'with the job its last process has ended',
    );
    window = await openWindow(world);
    await oneNewServer(undefined);
    assert.ok(existsSync(world.bridge.job(id).worktree?.root ?? ''));
  });
});
