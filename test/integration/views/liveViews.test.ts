import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BridgeLink } from '../../../src/host/bridge/bridgeLink.ts';
import { serverCommandLine } from '../../../src/host/bridge/serverCommandLine.ts';
import { ServerSupervisor } from '../../../src/host/bridge/serverSupervisor.ts';
import { startServer } from '../../../src/host/bridge/startServer.ts';
import { systemClock } from '../../../src/host/bridge/systemClock.ts';
import { JobsModel } from '../../../src/host/jobs/jobsModel.ts';
import { JobFiles } from '../../../src/host/views/jobFiles.ts';
import type { JobsNode } from '../../../src/host/views/jobsNode.ts';
import { JobsTree } from '../../../src/host/views/jobsTree.ts';
import { type BridgeWorld, bridgeWorld, ROOT } from '../../support/bridgeWorld.ts';
import { seedJobs } from '../../host/support/seedJobs.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: assert.fail };

/** The jobs view over the built server and the real store, without the window around it. */
describe('the rows of the jobs view over a real server', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let supervisor: ServerSupervisor;
  let link: BridgeLink;
  let jobs: JobsModel;
  let tree: JobsTree;
  let fired: (readonly JobsNode[] | null)[] = [];

  before(async () => {
    world = await bridgeWorld({});
    link = new BridgeLink(() => supervisor, quiet);
    supervisor = new ServerSupervisor({
      clock: systemClock,
      onDidChangeState: (state) => link.stateChanged(state),
      connect: (signal) => {
        const isRestricted = false;
        const paths = { execPath: process.execPath, extensionDir: ROOT, cwd: world.repo.root };
        const commandLine = serverCommandLine({ ...paths, env: world.env, isRestricted });
        return startServer(
          {
            ...{ commandLine, isRestricted, startTimeoutMs: 60_000, clientVersion: '0' },
            onResourceUpdated: (uri) => link.resourceUpdated(uri),
            ...{ log: quiet, serverLog: quiet },
          },
          signal,
        );
      },
    });
    seed(500);
    jobs = new JobsModel(link, quiet);
    await jobs.filter([world.repo.root]);
    tree = new JobsTree({
      ...{ jobs, clock: systemClock, log: quiet },
      files: new JobFiles(link, () => undefined),
      now: () => new Date(),
      isAllShown: () => false,
    });
    tree.onDidChange((nodes) => fired.push(nodes));
    await jobs.update();
    await until(() => jobs.finishedTotal === 500);
    await tree.children();
  });
  after(async () => {
    tree.dispose();
    jobs.dispose();
    await supervisor.dispose();
    link.dispose();
    await world.dispose();
  });

  const seed = (count: number, task = 'Seeded'): string[] =>
    seedJobs(count, {
      stateDir: world.repo.stateDir,
      repoRoot: world.repo.root,
      record: () => ({ task, status: 'done', failure: null }),
    });
  const until = async (isThere: () => boolean): Promise<void> => {
    const deadlineMs = Date.now() + 30_000;
    while (!isThere()) {
      assert.ok(Date.now() < deadlineMs, 'in time');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };

  it('hold one page of 500 jobs', () => {
    assert.equal(jobs.jobs('finished').length, 50);
  });

  it('change within 300 ms of the commit of another process', async () => {
    const tookMs: number[] = [];
    for (let n = 0; n < 10; n++) {
      fired = [];
      const [id = ''] = seed(1);
      const writtenMs = performance.now();
      await until(() => fired.length > 0 && jobs.job(id) !== null);
      tookMs.push(performance.now() - writtenMs);
      // What is shown anew is the group that it has joined, and nothing else.
      assert.deepEqual(
        fired.map((nodes) =>
          nodes?.map((node) => (node.kind === 'group' ? node.group : node.kind)),
        ),
        [['finished']],
      );
      fired = [];
    }
    tookMs.sort((a, b) => a - b);
    // On a loaded machine the best says whether anything waits that need not.
    assert.ok((tookMs[0] ?? Infinity) < 300, tookMs.map(Math.round).join(', '));
    if (process.env['SHOW_FIGURES'] !== undefined) console.log(tookMs.map(Math.round).join(', '));
  });

  it('go on after the server was killed, by what has changed meanwhile', async () => {
    const { state } = supervisor;
    assert.ok(state.kind === 'running');
    process.kill(state.server.pid, 'SIGKILL');
    await until(() => supervisor.state.kind !== 'running');
    const [id = ''] = seed(1, 'While nobody served');
    await until(() => jobs.job(id) !== null);
    assert.equal(jobs.state.kind, 'ready');
    assert.equal(jobs.finishedTotal, 511);
  });
});
