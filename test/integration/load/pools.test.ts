import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import { bridgeWorld, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { mostAtOnce } from '../../support/killLoad.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { startCountingServer } from './countingServer.ts';

const SERVERS = 8;
const BATCHES = 2;
const TASKS = 10;
/** Of each batch, those for the small pool. */
const SMALL = 2;
const SLOTS: Readonly<Record<string, number>> = { 'glm-big': 6, 'qwen-small': 2 };
const HUNG = 'task-0-3';
const KILLED = 'task-1-4';

describe(`${SERVERS} servers, ${BATCHES} batches of ${TASKS} jobs each, pools of 6 and 2`, function () {
  this.timeout(400_000);
  let world: BridgeWorld;
  let models: Awaited<ReturnType<typeof startCountingServer>>;
  beforeEach(async () => {
    models = await startCountingServer(Object.keys(SLOTS), 300);
    world = await bridgeWorld({
      models: [
        // All jobs are submitted in the same second, and how soon a busy machine answers is not what is asked here.
        'defaults: { probe_timeout_s: 30 }',
        'endpoints:',
        `  gate: { base_url: "${models.url}", format: anthropic, max_concurrent: 50 }`,
        'pools: { glm-: { slots: 6 }, qwen-: { slots: 2 } }',
        '',
      ].join('\n'),
    });
  });
  afterEach(async () => {
    await world.dispose();
    await models.close();
  });

  it('caps are never exceeded, the order is fair, and all results come back though one task hangs and a host is killed', async () => {
    const servers = await Promise.all(
      Array.from({ length: SERVERS }, () => McpTestClient.connect(world.start('server.cjs'))),
    );
    const batches = servers.flatMap((server, at) =>
      Array.from({ length: BATCHES }, (_, n) => submit(server, at * BATCHES + n)),
    );
    const store = new JobStore(world.repo.stateDir);
    const victim = await world.until(
      'the job that is to be killed',
      () =>
        models.seen.some(({ task }) => task === KILLED) &&
        store
          .inOrder(['running'])
          .find(({ record }) => record.task.startsWith(KILLED) && record.host.pid !== null),
      100_000,
    );
    process.kill(victim.record.host.pid ?? 0, 'SIGKILL');
    const answers = await Promise.all(batches);

    for (const [batch, results] of answers.entries()) {
      for (let index = 0; index < TASKS; index += 1) {
        const name = `task-${batch}-${index}`;
        const result = results[index];
        const job = store.find(String(result?.['id']));
        assert.ok(job, `${name}: ${JSON.stringify(result)}`);
        assert.match(job.record.task, new RegExp(`^${name}\\b`), 'results are in the order given');
        const { status, failure } = job.record;
        const expected = name === HUNG ? 'timeout' : name === KILLED ? 'lost' : 'done';
        assert.equal(status, expected, `${name}: ${JSON.stringify(failure)}`);
        assert.equal(result?.['status'], expected);
        assert.deepEqual(store.receipt(job.record.id), job.record);
      }
    }

    for (const [model, slots] of Object.entries(SLOTS)) {
      const seen = models.most(model);
      assert.ok(seen > 1 && seen <= slots, `${seen} requests for ${model} at once`);
      const jobs = store.inOrder(['done', 'timeout', 'lost']);
      const own = jobs.filter(({ spec }) => spec.servedModel === model);
      assert.equal(
        own.length,
        SERVERS * BATCHES * (model === 'qwen-small' ? SMALL : TASKS - SMALL),
      );
      const intervals = own.map(({ record }) => ({
        from: Date.parse(record.startedAt ?? ''),
        to: Date.parse(record.finishedAt ?? ''),
      }));
      assert.equal(mostAtOnce(intervals), slots, `${model}: full at times, never more than full`);
      const started = own.toSorted((a, b) =>
        (a.record.startedAt ?? '').localeCompare(b.record.startedAt ?? ''),
      );
      // Hosts that are admitted together come up in any order; nobody is further from his place than that.
      for (const [place, job] of own.entries()) {
        const shift = Math.abs(started.indexOf(job) - place);
        assert.ok(shift <= slots, `${job.record.id} in ${model} moved by ${shift}`);
      }
    }
    store.close();
    for (const server of servers) server.purity.check();

    async function submit(server: McpTestClient, batch: number) {
      const tasks = Array.from({ length: TASKS }, (_, index) => {
        const name = `task-${batch}-${index}`;
        const isHanging = name === HUNG || name === KILLED;
        return {
          task: `${name}${isHanging ? ' hang' : ''}: say how it is.`,
          runner: 'loop',
          model: index < TASKS - SMALL ? 'glm-big' : 'qwen-small',
          read_only: true,
          ...(name === HUNG ? { timeout_s: 5 } : {}),
        };
      });
      const started = await server.call('run_batch', { tasks });
      const results = started.fields['results'] as Record<string, unknown>[];
      const ids = results.map((result) => String(result['job_id']));
      // A client asks again for what is not over; each answer takes less than its limit for a call.
      for (;;) {
        const waited = await server.call('wait_jobs', { job_ids: ids, timeout_s: 45 });
        const finished = waited.fields['finished'] as Record<string, unknown>[];
        if (finished.length === ids.length)
          return ids.map((id) => finished.find((result) => result['id'] === id));
      }
    }
  });
});
