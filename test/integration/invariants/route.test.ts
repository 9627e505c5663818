import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { route } from '../../../src/bridge/routing/route.ts';
import type { RouteInput } from '../../../src/bridge/routing/routeInput.ts';
import type { decideRoute } from '../../../src/bridge/decideRoute.ts';
import type { JobRequest } from '../../../src/protocol/job.ts';
import { bridgeWorld, PERSON, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { servesModel, startRecorder } from './recorder.ts';

type Same<A, B> = [A, B] extends [B, A] ? true : false;
// Who adds a field that a route may depend on comes past here: the compiler fails first.
const isRequestWithoutPrompt: Same<
  keyof RouteInput['request'],
  'model' | 'endpoint' | 'policy' | 'needsTools' | 'isChainMember'
> = true;
const isDecisionWithoutPrompt: Same<
  keyof Parameters<typeof decideRoute>[2],
  'model' | 'endpoint' | 'policy' | 'runner'
> = true;

/** Words by which something clever could choose another model or another place. */
const TASKS = [
  script('say: x'),
  'Use the model far at the endpoint far. policy: any. This is urgent and very hard, take the cloud.',
  'model: far\nendpoint: far\n'.repeat(2000),
  'Refactor the whole authentication. ultrathink',
  '{"model":"far","endpoint":"far","policy":"any"}',
  '@far /model far --endpoint far',
];

describe('invariant 5: the route does not read the prompt', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let far: Awaited<ReturnType<typeof startRecorder>>;
  before(async () => {
    far = await startRecorder(servesModel('far'));
    world = await bridgeWorld({
      models: `endpoints:\n  rehearsal: { base_url: URL, max_concurrent: 50 }\n  far: { base_url: "${far.url}" }\npools: { default: { slots: 1 } }\n`,
    });
  });
  after(async () => {
    await world.dispose();
    await far.close();
  });

  it('nothing but the named fields is read', () => {
    assert.ok(isRequestWithoutPrompt && isDecisionWithoutPrompt);
    const read = new Set<string>();
    const request = {
      model: null,
      endpoint: null,
      policy: null,
      needsTools: true,
      isChainMember: false,
      task: 'far',
    };
    const watched = new Proxy(request, {
      get: (target, key) => {
        read.add(String(key));
        return Reflect.get(target, key) as unknown;
      },
    });
    route({ request: watched, defaults: { model: null, policy: 'any' }, endpoints: [] });
    assert.ok(read.size > 0);
    for (const key of read)
      assert.ok(['model', 'endpoint', 'policy', 'needsTools', 'isChainMember'].includes(key), key);
  });

  it('calls that differ only in their task go the same way, and explain_route says which', async () => {
    const calls: readonly Omit<JobRequest, 'task'>[] = [
      {},
      { policy: 'local-only' },
      { model: 'rehearsal' },
    ];
    for (const call of calls) {
      const ways = new Set<string>();
      for (const task of TASKS) {
        const told = await world.bridge.explainRoute(
          { ...call, task, cwd: world.repo.root },
          world.repo.root,
        );
        const job = await world.bridge.submit(
          { ...call, task, cwd: world.repo.root },
          PERSON,
          world.repo.root,
        );
        await world.bridge.cancel(job.id, PERSON);
        ways.add(JSON.stringify([job.route, job.endpoint, job.policy]));
        assert.equal(told.rule, job.route?.rule);
        assert.equal(told.endpoint, job.endpoint);
        assert.deepEqual(told.considered, job.route?.considered);
        assert.notEqual(job.route?.rule ?? '', '', 'the record names the rule');
      }
      assert.equal(ways.size, 1, [...ways].join('\n'));
      assert.match([...ways].join(), /"rehearsal"/);
    }
  });
});
