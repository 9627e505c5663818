import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'mocha';
import { bridgeWorld, PERSON, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { describeInFarNet } from './describeInFarNet.ts';
import { FAR_ADDRESS, startFarServer } from './farServer.ts';
import { startDns } from './startDns.ts';

/** More questions than the bridge asks about a name for one job, from the first look to the last request. */
const MOST_QUESTIONS = 9;

describeInFarNet('a name that leads here at first and then far away', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let far: Awaited<ReturnType<typeof startFarServer>>;
  let dns: Awaited<ReturnType<typeof startDns>> | null = null;
  beforeEach(async () => {
    world = await bridgeWorld();
    const port = Number(new URL(world.rehearsal.url).port);
    // The same port, so that a changed address alone makes the difference.
    far = await startFarServer([port]);
    world.writeModels(
      `defaults: { probe_timeout_s: 2 }\nendpoints:\n  spot: { base_url: "http://spot.test:${port}", format: anthropic, max_concurrent: 9 }\n`,
    );
  });
  afterEach(async () => {
    await world.dispose();
    await far.close();
    dns?.close();
    dns = null;
  });
  const lead = async (addressesOf: (question: number) => readonly string[]): Promise<void> => {
    dns = await startDns((name, question) => (name === 'spot.test' ? addressesOf(question) : []));
  };
  const request = (policy: 'local-only' | 'any') => ({
    task: script('run: true', 'say: Done.'),
    runner: 'loop' as const,
    policy,
    endpoint: 'spot',
    model: 'rehearsal',
  });
  const outcomes = new Set<string>();

  for (let turns = 0; turns <= MOST_QUESTIONS; turns += 1) {
    it(`after ${turns} questions: a job`, async () => {
      await lead((question) => [question < turns ? '127.0.0.1' : FAR_ADDRESS]);
      const job = await world.run(request('local-only'));
      outcomes.add(job.failure?.kind ?? job.status);
      assert.deepEqual(far.seen(), { connections: 0, bytes: 0 }, JSON.stringify(job.failure));
      if (turns === 0) assert.equal(job.status, 'refused');
      // Else there is a question that no run has turned.
      if (turns === MOST_QUESTIONS) assert.equal(job.status, 'done', JSON.stringify(job.failure));
    });

    it(`after ${turns} questions: a plain question`, async () => {
      await lead((question) => [question < turns ? '127.0.0.1' : FAR_ADDRESS]);
      await world.bridge
        .complete({ prompt: 'x', ...request('local-only'), model: 'rehearsal' }, world.repo.root)
        .catch((error: unknown) => outcomes.add((error as { kind: string }).kind));
      assert.deepEqual(far.seen(), { connections: 0, bytes: 0 });
    });
  }

  it('some of these went well and some were refused, or they show nothing', () => {
    assert.ok(outcomes.has('done') && outcomes.has('policy_refused'), [...outcomes].join());
  });

  it('both at once: only the near address is connected to', async () => {
    await lead(() => [FAR_ADDRESS, '127.0.0.1']);
    const job = await world.run(request('local-only'));
    assert.notEqual(job.locality, 'local');
    assert.deepEqual(far.seen(), { connections: 0, bytes: 0 });
  });

  it('without local-only the same name is followed: the cloud can be reached from here', async () => {
    await lead(() => [FAR_ADDRESS]);
    const { bridge, repo } = world;
    const answer = await bridge.complete({ prompt: 'x', ...request('any') }, repo.root);
    assert.equal(answer.text, 'From far away.');
    assert.ok(far.seen().connections > 0);
    await assert.rejects(bridge.complete({ prompt: 'x', ...request('local-only') }, repo.root), {
      kind: 'policy_refused',
    });
  });

  it('probing for a local-only job asks nobody far away', async () => {
    await lead(() => [FAR_ADDRESS]);
    const { model: _model, endpoint: _endpoint, ...anywhere } = request('local-only');
    const told = await world.bridge.explainRoute(anywhere, world.repo.root);
    assert.equal(told.failure?.kind, 'policy_refused');
    const refused = await world.bridge.submit(anywhere, PERSON, world.repo.root);
    assert.equal(refused.status, 'refused');
    assert.deepEqual(far.seen(), { connections: 0, bytes: 0 });
  });
});
