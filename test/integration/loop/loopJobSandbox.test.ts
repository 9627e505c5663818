import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { findNetworkJail } from '../../../src/bridge/processes/findNetworkJail.ts';
import { bridgeWorld, ROOT, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { skipBecause } from '../../support/skipBecause.ts';

const found = await findNetworkJail(process.env, process.platform);

describe('sandbox: true', function () {
  this.timeout(60_000);
  let world: BridgeWorld | null = null;
  afterEach(async () => {
    await world?.dispose();
    world = null;
  });

  it('commands have no network and write nowhere else, commits work, and the receipt says jailed', async function () {
    if ('reason' in found) skipBecause(this, found.reason);
    const connections: string[] = [];
    const server = createServer((socket) => {
      connections.push(socket.remoteAddress ?? '');
      socket.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    world = await bridgeWorld();
    const outside = `/var/tmp/delegate-outside-${process.pid}`;
    const checkout = join(world.repo.root, 'outside.txt');
    const before = world.repo.fingerprint();
    try {
      const record = await world.run({
        runner: 'loop',
        sandbox: true,
        task: script(
          `run: (exec 3<>/dev/tcp/127.0.0.1/${port}) && echo reached || echo no network`,
          `run: touch ${outside} && echo wrote outside || echo nowhere else`,
          // Below /tmp, where it sees a folder of the job's own.
          `run: touch ${checkout}`,
          'run: echo inside > inside.txt && echo tmp > /tmp/x && cat /tmp/x',
          'run: git add -A && git -c user.name=t -c user.email=t@example.com commit -qm work && git log --oneline -1',
          'say: Tried it all.',
        ),
      });
      assert.equal(record.status, 'done', JSON.stringify(record.failure));
      assert.equal(record.network, 'jailed');
      const transcript = world.log(record.id, 'transcript.txt');
      assert.match(transcript, /^no network$/m);
      assert.match(transcript, /^nowhere else$/m);
      assert.match(transcript, /^tmp$/m);
      assert.match(transcript, /^[0-9a-f]{7,} work$/m);
      assert.deepEqual(connections, []);
      assert.deepEqual([existsSync(outside), existsSync(checkout)], [false, false]);
      assert.deepEqual(
        record.filesChanged.map(({ path }) => path),
        ['inside.txt'],
      );
      assert.deepEqual(record.tampered, []);
      assert.deepEqual(world.repo.fingerprint(), before);
    } finally {
      server.close();
    }
  });

  it('where there is no jail the job fails before its first request, and says what to install', async function () {
    if (process.platform !== 'linux')
      skipBecause(this, 'sandbox-exec is part of the system elsewhere');
    world = await bridgeWorld();
    const bin = join(world.repo.scratch, 'bin');
    mkdirSync(bin);
    for (const name of readdirSync('/usr/bin'))
      if (name !== 'bwrap') symlinkSync(join('/usr/bin', name), join(bin, name));
    const path = [bin, dirname(process.execPath), join(ROOT, 'node_modules/.bin')].join(':');
    world.env['PATH'] = path;
    const record = await world.run({
      runner: 'loop',
      sandbox: true,
      task: script('run: true', 'say: never'),
    });
    assert.equal(record.status, 'failed');
    assert.equal(record.failure?.kind, 'not_supported');
    assert.match(record.failure.message + record.failure.hint, /bubblewrap/);
    assert.equal(record.network, 'not jailed');
    assert.equal(record.proof, null);
    assert.equal(world.log(record.id, 'requests.jsonl'), '');
  });
});
