import assert from 'node:assert/strict';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { JobRecord } from '../../../src/protocol/job.ts';
import { bridgeWorld, PERSON, script, type BridgeWorld } from '../../support/bridgeWorld.ts';

describe('an endpoint that fails', function () {
  this.timeout(180_000);
  let world: BridgeWorld;
  let front: Server;
  let isBroken = false;
  let answered = 0;
  /** In front of the rehearsal server: its requests for answers fail while it is broken. */
  beforeEach(async () => {
    isBroken = false;
    answered = 0;
    world = await bridgeWorld();
    front = createServer((incoming, outgoing) => {
      if (isBroken && incoming.method === 'POST') {
        incoming.resume();
        outgoing.writeHead(503, { 'content-type': 'application/json' });
        outgoing.end('{"error":{"message":"out of order"}}');
        return;
      }
      if (incoming.method === 'POST') answered += 1;
      const { method, url, headers } = incoming;
      const passed = forward(`${world.rehearsal.url}${url}`, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      incoming.pipe(passed);
    });
    await new Promise<void>((resolve) => void front.listen(0, '127.0.0.1', resolve));
    const { port } = front.address() as AddressInfo;
    world.writeModels(
      `endpoints:\n  spot: { base_url: "http://127.0.0.1:${port}", max_concurrent: 9 }\n`,
    );
  });
  afterEach(async () => {
    await world.dispose();
    front.closeAllConnections();
    front.close();
  });
  const submit = (...lines: string[]): Promise<JobRecord> =>
    world.bridge.submit(
      { task: script(...lines), cwd: world.repo.root, runner: 'loop', isolation: 'none' },
      PERSON,
      world.repo.root,
    );
  const pause = () => world.bridge.slotUse({ cwd: world.repo.root }).endpoints[0]?.pause ?? null;

  it('is paused after three failed jobs; the next ones wait, one tries it, and then all run', async () => {
    // The first one learns that the model calls tools, which is asked once.
    assert.equal((await world.finished((await submit('say: Well.')).id)).status, 'done');
    assert.equal(pause(), null);
    isBroken = true;
    const failing = await Promise.all([1, 2, 3].map(() => submit('say: Never.')));
    for (const { id } of failing) assert.equal((await world.finished(id)).status, 'failed');
    assert.equal(pause()?.state, 'paused');
    const before = answered;
    const waiting: JobRecord[] = [];
    for (let n = 0; n < 3; n += 1) waiting.push(await submit('hang 2s', 'say: Well again.'));
    for (const job of waiting) assert.equal(job.queueReason, 'cooldown', JSON.stringify(job));
    isBroken = false;
    const models = await world.cli('models');
    assert.match(
      models.stdout,
      /(Paused for 0:\d\d|One job at a time tries it): it answers with server errors/,
    );
    // While one tries, the others wait.
    const [probe] = await world.until('the one that tries', () => {
      const live = waiting.filter(({ id }) => world.bridge.job(id).status === 'running');
      return live.length > 0 ? live : null;
    });
    assert.equal(probe?.id, waiting[0]?.id, 'the first in line');
    const ended = await Promise.all(waiting.map(({ id }) => world.finished(id)));
    for (const job of ended) assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(pause(), null);
    assert.ok(answered - before >= 3);
    const starts = ended.map(({ startedAt }) => Date.parse(startedAt ?? ''));
    const [first = 0, second = 0, third = 0] = starts;
    assert.ok(second - first > 1_900 && third - first > 1_900, `${starts.join(' ')}`);
  });
});
