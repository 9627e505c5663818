import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { BridgeLink } from '../../../../src/host/bridge/bridgeLink.ts';
import type { ServerState } from '../../../../src/host/bridge/serverState.ts';
import type { ServerSupervisor } from '../../../../src/host/bridge/serverSupervisor.ts';
import type { UiSession } from '../../../../src/host/bridge/uiSession.ts';

type Answer = () => Promise<unknown>;

/** A server that answers calls as the test says and notes what it is subscribed to. */
class FakeSession {
  readonly subscribed = new Set<string>();
  answer: Answer = () => assert.fail('no call is expected');

  readonly session: UiSession = {
    serverVersion: '1.2.3',
    call: ((): Promise<unknown> => this.answer()) as UiSession['call'],
    subscribe: async (uri) => {
      assert.ok(!this.subscribed.has(uri), `${uri} twice`);
      this.subscribed.add(uri);
    },
    unsubscribe: async (uri) => {
      assert.ok(this.subscribed.delete(uri), `${uri} was not subscribed`);
    },
  };
}

function world() {
  const warnings: string[] = [];
  const log = {
    info: () => undefined,
    warn: (text: string) => warnings.push(text),
    error: (text: string) => assert.fail(text),
  };
  const supervisor = {
    state: { kind: 'stopped' } as ServerState,
    session: null as UiSession | null,
    start: (): Promise<ServerState> => assert.fail('no start is expected'),
  };
  const link = new BridgeLink(() => supervisor as unknown as ServerSupervisor, log);
  const become = (state: ServerState, fake: FakeSession | null = null): ServerState => {
    supervisor.state = state;
    supervisor.session = fake?.session ?? null;
    link.stateChanged(state);
    return state;
  };
  const run = (fake: FakeSession): ServerState =>
    become({ kind: 'running', server: { version: '1.2.3', pid: 7, isRestricted: false } }, fake);
  return { link, supervisor, become, run, warnings };
}

const OK = { isOk: true, answer: { report: 'well' } };
const REFUSED = {
  isOk: false,
  failure: { kind: 'unknown_job', message: 'There is no job x.', hint: 'See the list.' },
  answer: {},
};

describe('BridgeLink', () => {
  it('starts a stopped server for a call', async () => {
    const { link, supervisor, run } = world();
    const fake = new FakeSession();
    fake.answer = async () => OK;
    supervisor.start = async () => run(fake);
    assert.deepEqual(await link.call('doctor', {}), { report: 'well' });
  });

  for (const state of [
    { kind: 'failed', reason: 'It is gone.', hint: 'Fetch it.' },
    { kind: 'degraded', reason: 'It ended.', retryInMs: 1000 },
  ] as const) {
    it(`says why there is no answer from a server that is ${state.kind}, and does not start it`, async () => {
      const { link, become } = world();
      become(state);
      const error = await link.call('doctor', {}).catch((thrown: unknown) => thrown);
      assert.ok(BridgeError.is(error, 'server_unavailable'));
      assert.ok(error.message.startsWith(state.reason), error.message);
      assert.notEqual(error.hint, '');
    });
  }

  it('hands on what the engine refuses, with its kind and its hint', async () => {
    const { link, run } = world();
    const fake = new FakeSession();
    fake.answer = async () => REFUSED;
    run(fake);
    const error = await link.call('doctor', {}).catch((thrown: unknown) => thrown);
    assert.ok(BridgeError.is(error, 'unknown_job'));
    assert.deepEqual([error.message, error.hint], ['There is no job x.', 'See the list.']);
    assert.deepEqual(await link.tryCall('doctor', {}), REFUSED);
  });

  it('tells a server that died during a call from one that answered nonsense', async () => {
    const { link, run, become } = world();
    const fake = new FakeSession();
    fake.answer = () => Promise.reject(new Error('nonsense'));
    run(fake);
    await assert.rejects(link.call('doctor', {}), /nonsense/);
    fake.answer = () => {
      become({ kind: 'degraded', reason: 'It ended.', retryInMs: 1000 });
      return Promise.reject(new Error('Connection closed'));
    };
    const error = await link.call('doctor', {}).catch((thrown: unknown) => thrown);
    assert.ok(BridgeError.is(error, 'server_unavailable'));
  });

  it('takes an aborted call as cancelled', async () => {
    const { link, run } = world();
    const fake = new FakeSession();
    const abort = new AbortController();
    fake.answer = () => {
      abort.abort();
      return Promise.reject(new Error('aborted'));
    };
    run(fake);
    const error = await link.call('doctor', {}, abort.signal).catch((thrown: unknown) => thrown);
    assert.ok(BridgeError.is(error, 'cancelled'));
  });

  it('subscribes once for all that listen, and again at each new server, which counts as a change', async () => {
    const { link, run, become } = world();
    const heard: string[] = [];
    const one = link.subscribe('delegate://jobs', () => heard.push('one'));
    const two = link.subscribe('delegate://jobs', () => heard.push('two'));
    const first = new FakeSession();
    run(first);
    assert.deepEqual([...first.subscribed], ['delegate://jobs']);
    assert.deepEqual(heard, ['one', 'two']);

    link.resourceUpdated('delegate://jobs');
    link.resourceUpdated('delegate://pools');
    assert.deepEqual(heard, ['one', 'two', 'one', 'two']);

    become({ kind: 'degraded', reason: 'It ended.', retryInMs: 1000 });
    const second = new FakeSession();
    run(second);
    assert.deepEqual([...second.subscribed], ['delegate://jobs']);
    assert.equal(heard.length, 6);

    one.dispose();
    assert.deepEqual([...second.subscribed], ['delegate://jobs']);
    two.dispose();
    assert.deepEqual([...second.subscribed], []);
  });

  it('tells its state once per change, and subscribes at once while a server runs', () => {
    const { link, run } = world();
    const kinds: string[] = [];
    link.onDidChangeState(({ kind }) => kinds.push(kind));
    const fake = new FakeSession();
    run(fake);
    link.subscribe('delegate://endpoints', () => undefined);
    assert.deepEqual([...fake.subscribed], ['delegate://endpoints']);
    assert.deepEqual(kinds, ['running']);
  });

  it('warns when a subscription fails on a server that still runs', async () => {
    const { link, run, warnings } = world();
    const fake = new FakeSession();
    const session = {
      ...fake.session,
      subscribe: () => Promise.reject(new Error('no such thing')),
    };
    run(Object.assign(fake, { session }));
    link.subscribe('delegate://jobs', () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(warnings, ['no such thing']);
  });
});
