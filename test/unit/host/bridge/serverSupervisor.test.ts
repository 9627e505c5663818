import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import {
  type ServerConnection,
  ServerSupervisor,
  type StartResult,
} from '../../../../src/host/bridge/serverSupervisor.ts';
import type { ServerState } from '../../../../src/host/bridge/serverState.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';

/** A server that ends when the test says so. */
class FakeServer {
  #end: (how: string) => void = () => undefined;
  isClosed = false;
  readonly connection: ServerConnection = {
    server: { version: '1.2.3', pid: 42, isRestricted: false },
    session: {
      serverVersion: '1.2.3',
      call: () => assert.fail('no call is expected'),
      subscribe: () => assert.fail('no subscription is expected'),
      unsubscribe: () => assert.fail('no subscription is expected'),
    },
    ended: new Promise((resolve) => (this.#end = resolve)),
    close: async () => {
      this.isClosed = true;
      this.#end('closed');
    },
  };

  async crash(): Promise<void> {
    this.#end('The server ended with code 1.');
    await settled();
  }
}

function harness(connect?: (signal: AbortSignal) => Promise<StartResult>) {
  const clock = new FakeClock();
  const servers: FakeServer[] = [];
  const states: ServerState[] = [];
  const supervisor = new ServerSupervisor({
    clock,
    onDidChangeState: (state) => states.push(state),
    connect:
      connect ??
      (async () => {
        const server = new FakeServer();
        servers.push(server);
        return { isStarted: true, connection: server.connection };
      }),
  });
  const kinds = (): string[] => states.map(({ kind }) => kind);
  return { clock, servers, supervisor, kinds };
}

const FAILED_START: StartResult = {
  isStarted: false,
  reason: 'No.',
  hint: 'Try this.',
  canRetry: true,
};

describe('ServerSupervisor', () => {
  it('goes from stopped over starting to running', async () => {
    const { supervisor, kinds } = harness();
    assert.equal(supervisor.state.kind, 'stopped');
    const state = await supervisor.start();
    assert.ok(state.kind === 'running' && state.server.version === '1.2.3');
    assert.deepEqual(kinds(), ['starting', 'running']);
  });

  it('starts one server however often it is asked', async () => {
    const { supervisor, servers } = harness();
    await Promise.all([supervisor.start(), supervisor.start()]);
    await supervisor.start();
    assert.equal(servers.length, 1);
  });

  it('waits 1, 2, 4 and 8 s after crashes and gives up at the fifth within 3 minutes', async () => {
    const { supervisor, servers, clock } = harness();
    await supervisor.start();
    for (const waitMs of [1000, 2000, 4000, 8000]) {
      await servers.at(-1)?.crash();
      const { state } = supervisor;
      assert.ok(state.kind === 'degraded' && state.retryInMs === waitMs, JSON.stringify(state));
      await clock.advance(waitMs - 1);
      assert.equal(supervisor.state.kind, 'degraded');
      await clock.advance(1);
      assert.equal(supervisor.state.kind, 'running');
    }
    await servers.at(-1)?.crash();
    const { state } = supervisor;
    assert.ok(state.kind === 'failed');
    assert.match(state.reason, /ended with code 1.*time 5 within 3 minutes/);
    await clock.advance(3_600_000);
    assert.equal(servers.length, 5);
  });

  it('forgets crashes that are older than 3 minutes', async () => {
    const { supervisor, servers, clock } = harness();
    await supervisor.start();
    for (let crashes = 0; crashes < 20; crashes++) {
      await servers.at(-1)?.crash();
      const { state } = supervisor;
      assert.ok(state.kind === 'degraded' && state.retryInMs === 1000);
      await clock.advance(1000);
      await clock.advance(180_000);
    }
  });

  it('makes a new client after a failed start, and counts that as a crash', async () => {
    const results: StartResult[] = [FAILED_START, FAILED_START];
    const server = new FakeServer();
    const { supervisor, clock, kinds } = harness(
      async () => results.shift() ?? { isStarted: true, connection: server.connection },
    );
    assert.equal((await supervisor.start()).kind, 'degraded');
    await clock.advance(1000);
    await clock.advance(2000);
    assert.equal(supervisor.state.kind, 'running');
    assert.deepEqual(kinds(), [
      'starting',
      'degraded',
      'starting',
      'degraded',
      'starting',
      'running',
    ]);
  });

  it('does not retry what cannot work, until it is asked', async () => {
    let tries = 0;
    const { supervisor, clock } = harness(async () => {
      tries++;
      return { ...FAILED_START, canRetry: false };
    });
    const state = await supervisor.start();
    assert.deepEqual(state, { kind: 'failed', reason: 'No.', hint: 'Try this.' });
    await clock.advance(600_000);
    assert.equal(tries, 1);
    await supervisor.start();
    assert.equal(tries, 2);
  });

  it('takes a thrown error as a failed start', async () => {
    const { supervisor } = harness(() => Promise.reject(new Error('surprise')));
    const state = await supervisor.start();
    assert.ok(state.kind === 'degraded' && state.reason === 'surprise');
  });

  it('replaces the server on restart, with a clean count', async () => {
    const { supervisor, servers } = harness();
    await supervisor.start();
    await servers[0]?.crash();
    const state = await supervisor.restart();
    assert.equal(state.kind, 'running');
    await servers[1]?.crash();
    assert.ok(supervisor.state.kind === 'degraded' && supervisor.state.retryInMs === 1000);
  });

  it('closes the running server on restart and ignores its end', async () => {
    const { supervisor, servers, kinds } = harness();
    await supervisor.start();
    await supervisor.restart();
    await settled();
    assert.deepEqual(
      servers.map(({ isClosed }) => isClosed),
      [true, false],
    );
    assert.deepEqual(kinds(), ['starting', 'running', 'stopped', 'starting', 'running']);
  });

  it('closes a server whose start ends after the stop', async () => {
    let finishStart: (result: StartResult) => void = () => undefined;
    const server = new FakeServer();
    const { supervisor, kinds } = harness(() => new Promise((resolve) => (finishStart = resolve)));
    void supervisor.start();
    const stopping = supervisor.stop();
    finishStart({ isStarted: true, connection: server.connection });
    await stopping;
    assert.equal(server.isClosed, true);
    assert.deepEqual(kinds(), ['starting', 'stopped']);
  });

  it('stays stopped when it is stopped before a retry', async () => {
    const { supervisor, servers, clock } = harness();
    await supervisor.start();
    await servers[0]?.crash();
    await supervisor.stop();
    await clock.advance(60_000);
    assert.equal(supervisor.state.kind, 'stopped');
  });

  it('starts nothing once it is disposed, not even a retry that was due', async () => {
    const { supervisor, servers, clock } = harness();
    await supervisor.start();
    await servers[0]?.crash();
    await supervisor.dispose();
    await clock.advance(60_000);
    assert.equal((await supervisor.start()).kind, 'stopped');
    assert.equal(servers.length, 1);
  });
});
