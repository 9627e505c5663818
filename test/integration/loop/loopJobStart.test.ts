import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { BridgeContext } from '../../../src/bridge/bridgeContext.ts';
import { JobLogWriter } from '../../../src/bridge/jobs/jobLogWriter.ts';
import { jobDir } from '../../../src/bridge/jobs/jobPaths.ts';
import { newRecord } from '../../../src/bridge/jobs/newRecord.ts';
import { readHealth } from '../../../src/bridge/routing/endpointHealth.ts';
import { openEndpoint } from '../../../src/jobHost/openEndpoint.ts';
import { bridgeWorld, type BridgeWorld } from '../../support/bridgeWorld.ts';

const ID = 'loop-20260101-000000-aaaaaaaaaa';
/** The discard port: nobody listens. */
const DEAD = 'http://127.0.0.1:9';

const models = (when: string): string => `endpoints:
  gone: { base_url: '${DEAD}' }
  here: { base_url: URL, max_concurrent: 50 }
failover: { when: [${when}], chains: { model-a: [rehearsal] } }
pools: { model-a: { slots: 1 } }
`;

describe('a job whose endpoint has gone before it starts', function () {
  this.timeout(30_000);
  let world: BridgeWorld;
  let context: BridgeContext;
  beforeEach(async () => {
    world = await bridgeWorld();
    context = new BridgeContext({
      env: world.env,
      homeDir: world.repo.home,
      configFile: null,
      isRestricted: false,
    });
  });
  afterEach(async () => {
    context.dispose();
    await world.dispose();
  });

  const open = async (when: string) => {
    world.writeModels(models(when));
    const record = newRecord({
      id: ID,
      task: 'x',
      runner: 'claude-code',
      client: { name: 'test', session: null, pid: null },
      policy: 'prefer-local',
      cwd: world.repo.root,
      isolation: 'worktree',
      createdAt: new Date().toISOString(),
    });
    const place = { poolSlots: 6, endpointLimit: null, exclusiveGroup: null };
    context.store.insert(
      {
        ...record,
        status: 'starting',
        modelRequested: 'model-a',
        endpoint: 'gone',
        locality: 'local',
      },
      {
        ...place,
        request: { task: 'x' },
        servedModel: 'model-a',
        pool: 'model-a',
        alternatives: [
          {
            ...place,
            endpoint: 'here',
            baseUrl: world.rehearsal.url,
            locality: 'local',
            model: 'rehearsal',
            pool: 'default',
            contextWindow: null,
          },
        ],
        failoverSinceMs: null,
        repoRoot: null,
        timeoutS: 60,
        idleTimeoutS: 60,
        configFile: null,
        resume: null,
      },
    );
    const folder = jobDir(world.repo.stateDir, ID);
    mkdirSync(folder, { recursive: true });
    const log = new JobLogWriter(
      folder,
      (text) => text,
      () => undefined,
    );
    const job = context.store.find(ID) ?? assert.fail('no job');
    const opened = await openEndpoint(context, job, log, new AbortController().signal).catch(
      (error: unknown) => BridgeError.from(error),
    );
    // What `world.dispose` would cancel and wait for.
    context.store.update(ID, (present) => ({ ...present, status: 'failed' }));
    return {
      opened,
      record: context.store.find(ID)?.record,
      health: readHealth(context.store, Date.now()),
    };
  };

  it('goes to the next member of the chain, and everybody learns that the first is down', async () => {
    const { opened, record, health } = await open('error');
    if (opened instanceof BridgeError) throw opened;
    await opened.endpoint.resolved.target.dispatcher.close();
    assert.equal(opened.endpoint.resolved.target.name, 'here');
    assert.equal(opened.job.spec.servedModel, 'rehearsal');
    assert.deepEqual(
      [record?.endpoint, record?.fallback?.from, record?.fallback?.to],
      ['here', 'model-a', 'rehearsal'],
    );
    assert.equal(record?.attempts[0]?.endpoint, 'gone');
    assert.equal(health.get('gone')?.failures, 1);
  });

  it('fails where errors are no reason to move, and everybody learns it all the same', async () => {
    const { opened, record, health } = await open('pool_full');
    assert.ok(opened instanceof BridgeError);
    assert.equal(opened.kind, 'model_unavailable');
    assert.deepEqual([record?.endpoint, record?.fallback], ['gone', null]);
    assert.equal(health.get('gone')?.failures, 1);
  });
});
