import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, it } from 'mocha';
import { listHostHelpers, listJobProcesses } from '../../../src/bridge/processes/jobProcesses.ts';
import { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import { startRehearsal, type Rehearsal } from '../../../src/rehearsal/startRehearsal.ts';
import { bridgeWorld, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { allProcesses, processesOf, type SeenProcess } from '../../support/killProcesses.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { mostAtOnce, SeededChoice, SessionLog } from '../../support/killLoad.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const SEED = 20_260_101;
const SERVERS = 4;
const JOBS = 40;
const SLOTS = 3;
const KILLS = 24;
const STORE = resolve(import.meta.dirname, '../../../src/bridge/jobs');

/** Reads the store as fast as it can, in a process of its own; says how many jobs it ever saw at work at once. */
const WATCHER = `
import { JobStore } from ${JSON.stringify(`${STORE}/jobStore.ts`)};
import { LIVE_STATUSES } from ${JSON.stringify(`${STORE}/status.ts`)};
const store = new JobStore(process.argv[1]);
let most = 0;
let looks = 0;
const timer = setInterval(() => {
  const counts = store.countByStatus();
  looks += 1;
  most = Math.max(most, LIVE_STATUSES.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0));
}, 10);
process.stdin.on('data', () => {
  clearInterval(timer);
  console.log(JSON.stringify({ most, looks }));
  process.exit(0);
});
`;

describeWithClaude(
  `${SERVERS} servers, ${JOBS} jobs, a pool of ${SLOTS}, random kills`,
  function () {
    this.timeout(600_000);
    let world: BridgeWorld;
    let rehearsal: Rehearsal;
    let watcher: ChildProcess | null = null;
    afterEach(async () => {
      watcher?.kill('SIGKILL');
      await world.dispose();
      await rehearsal.close();
    });

    it(`never more than ${SLOTS} at once, a receipt for every job, nothing left (seed ${SEED})`, async () => {
      const sessions = new SessionLog();
      rehearsal = await startRehearsal({
        slots: 50,
        onRequest: (request) => sessions.add(request),
      });
      world = await bridgeWorld();
      world.writeModels(
        [
          'endpoints:',
          `  rehearsal: { base_url: "${rehearsal.url}", max_concurrent: 50 }`,
          'pools:',
          `  default: { slots: ${SLOTS} }`,
          '',
        ].join('\n'),
      );
      const before = world.repo.fingerprint();
      const store = new JobStore(world.repo.stateDir);
      const looker = spawn(
        process.execPath,
        ['--no-warnings', '--input-type=module-typescript', '-e', WATCHER, world.repo.stateDir],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      );
      watcher = looker;
      const choice = new SeededChoice(SEED);
      const servers: McpTestClient[] = [];
      for (let n = 0; n < SERVERS; n += 1)
        servers.push(await McpTestClient.connect(world.start('server.cjs')));

      const isDone = (): boolean =>
        store.list().length >= JOBS &&
        store.list().every(({ record }) => record.finishedAt !== null);
      const submitting = Promise.all(servers.map((_, at) => submitAll(at)));
      const killed = { host: 0, server: 0, claude: 0 };
      const deadline = performance.now() + 500_000;
      while (!isDone()) {
        assert.ok(performance.now() < deadline, summary(store, killed));
        const kills = killed.host + killed.server + killed.claude;
        if (kills < KILLS && choice.chance(0.25)) await killOne();
        // Paces the kills over the run; nothing is waited for.
        await delay(choice.below(600));
      }
      await submitting;

      const jobs = store.list().map(({ record }) => record);
      const context = summary(store, killed);
      for (const job of jobs) {
        assert.deepEqual(store.receipt(job.id), job, context);
        assert.ok(
          ['done', 'failed', 'lost'].includes(job.status),
          `${job.id} ${job.status} ${context}`,
        );
        if (job.status === 'failed') assert.equal(job.failure?.kind, 'runner_failed', context);
        assert.deepEqual(listJobProcesses(job.id), [], context);
        assert.deepEqual(listHostHelpers(job.id), [], context);
      }
      const count = (status: string): number => jobs.filter((job) => job.status === status).length;
      assert.ok(count('done') >= JOBS - killed.host - killed.claude, context);
      assert.ok(count('lost') <= killed.host && count('failed') <= killed.claude, context);
      assert.ok(killed.host > 2 && killed.server > 2 && killed.claude > 2, context);

      looker.stdin.write('end\n');
      const [line] = (await once(looker.stdout, 'data')) as [Buffer];
      const seen = JSON.parse(line.toString()) as { most: number; looks: number };
      assert.equal(seen.most, SLOTS, `${JSON.stringify(seen)} ${context}`);
      const concurrent = mostAtOnce(sessions.intervals());
      assert.ok(
        concurrent > 1 && concurrent <= SLOTS,
        `${concurrent} sessions at once; ${context}`,
      );
      assert.deepEqual(world.repo.fingerprint(), before, context);
      await world.until('the end of all processes', () =>
        jobs.every((job) => processesOf(job.id).length === 0),
      );
      for (const server of servers) server.purity.check();
      store.close();

      /** One server's share, through whichever process stands in its place now. */
      async function submitAll(at: number): Promise<void> {
        for (let n = 0; n < JOBS / SERVERS;) {
          const name = `job-${at}-${n}`;
          const isThere = (): boolean => store.list().some(({ record }) => record.kind === name);
          const server = servers[at];
          assert.ok(server);
          const task = script('run: true', `write ${name}.txt: x`, 'hang 300ms', 'say: ok');
          const answered = server
            .call('run_agent', { task, cwd: world.repo.root, kind: name })
            .then(
              ({ isError, text }) => assert.ok(!isError, text),
              // A server killed in the middle answers nothing: the store knows whether there is a job.
              () => server.exited,
            );
          await Promise.race([answered, server.exited]);
          if (server.child.signalCode !== null)
            servers[at] = await McpTestClient.connect(world.start('server.cjs'));
          if (isThere()) n += 1;
        }
      }

      async function killOne(): Promise<void> {
        const kind = choice.of(['host', 'server', 'claude'] as const);
        if (kind === 'server') {
          const at = choice.below(SERVERS);
          const server = servers[at];
          if (server === undefined || !server.child.kill('SIGKILL')) return;
          await server.exited;
          killed.server += 1;
          if (isSubmitted(at)) servers[at] = await McpTestClient.connect(world.start('server.cjs'));
          return;
        }
        const victim = choice.of(victims(store, kind));
        if (victim === undefined) return;
        process.kill(victim.pid, 'SIGKILL');
        killed[kind] += 1;
      }

      /** While its jobs are still submitted, the submitting loop puts a new server in its place. */
      function isSubmitted(at: number): boolean {
        return (
          store.list().filter(({ record }) => record.kind?.startsWith(`job-${at}-`)).length >=
          JOBS / SERVERS
        );
      }
    });
  },
);

function victims(store: JobStore, kind: 'host' | 'claude'): SeenProcess[] {
  const running = store.inOrder(['running']).map(({ record }) => record);
  const hosts = new Set(running.map((job) => job.host.pid));
  return kind === 'host'
    ? allProcesses().filter(({ pid }) => hosts.has(pid))
    : allProcesses().filter(
        ({ parent, argv }) => hosts.has(parent) && argv.includes('stream-json'),
      );
}

function summary(store: JobStore, killed: Record<string, number>): string {
  const jobs = store
    .list()
    .map(({ record }) => `${record.id} ${record.status} ${record.failure?.kind ?? ''}`);
  return `seed ${SEED}, killed ${JSON.stringify(killed)}\n${jobs.join('\n')}`;
}
