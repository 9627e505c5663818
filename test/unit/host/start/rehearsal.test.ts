import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import type { BridgeLink } from '../../../../src/host/bridge/bridgeLink.ts';
import { Rehearsal, type RehearsalState } from '../../../../src/host/start/rehearsal.ts';

const SIDECAR = '/config/models.local.yaml';
const OWN_FILE = '/config/models.yaml';

/** A machine with ports, a configuration, and windows on it. */
class Machine {
  /** Who listens, by port: a rehearsal server or something else. */
  readonly ports = new Map<number, 'rehearsal' | 'other'>();
  registration: { baseUrl: string; source: string } | null = null;
  readonly started: number[] = [];
  #nextFree = 50_000;

  window(): { rehearsal: Rehearsal; states: RehearsalState[]; die: () => void } {
    let end: () => void = () => undefined;
    const call = async (name: string, args: Record<string, unknown>): Promise<unknown> => {
      switch (name) {
        case 'config_facts':
          return {
            configFile: OWN_FILE,
            isExisting: true,
            sidecarFile: SIDECAR,
            endpoints:
              this.registration === null ? [] : [{ name: 'rehearsal', ...this.registration }],
            untrusted: [],
          };
        case 'add_endpoint':
          assert.equal(args['name'], 'rehearsal');
          this.registration = { baseUrl: String(args['baseUrl']), source: SIDECAR };
          return { endpoint: 'rehearsal', file: SIDECAR, probe: {} };
        case 'remove_endpoint':
          assert.equal(args['baseUrl'], this.registration?.baseUrl);
          this.registration = null;
          return { file: SIDECAR, isStillThere: false };
        default:
          throw new Error(`The test did not expect ${name} to be called.`);
      }
    };
    const rehearsal = new Rehearsal({
      link: { call: call as BridgeLink['call'] },
      log: new Proxy({}, { get: () => () => undefined }) as never,
      isRehearsal: async (baseUrl) =>
        this.ports.get(Number(URL.parse(baseUrl)?.port)) === 'rehearsal',
      start: async (wanted) => {
        const port = wanted === 0 ? this.#nextFree++ : wanted;
        if (this.ports.has(port)) throw new BridgeError('wrong_state', `Port ${port} is in use.`);
        this.ports.set(port, 'rehearsal');
        this.started.push(port);
        const ended = new Promise<void>((resolve) => {
          end = () => {
            this.ports.delete(port);
            resolve();
          };
        });
        return {
          url: `http://127.0.0.1:${port}`,
          ended,
          stop: async () => end(),
        };
      },
    });
    const states: RehearsalState[] = [];
    rehearsal.onDidChange((state) => states.push(state));
    return { rehearsal, states, die: () => end() };
  }
}

describe('Rehearsal', () => {
  it('starts on its usual port, registers, stops and takes the registration back', async () => {
    const machine = new Machine();
    const { rehearsal, states } = machine.window();
    assert.deepEqual(await rehearsal.start(), { url: 'http://127.0.0.1:47810', state: 'own' });
    assert.equal(machine.registration?.baseUrl, 'http://127.0.0.1:47810');
    assert.deepEqual(await rehearsal.stop(), { isStillRegistered: false });
    assert.equal(machine.registration, null);
    assert.equal(machine.ports.size, 0);
    assert.deepEqual(states, ['own', 'off']);
    rehearsal.dispose();
  });

  it('is never two in one window, however often it is started at once', async () => {
    const machine = new Machine();
    const { rehearsal } = machine.window();
    const urls = await Promise.all([rehearsal.start(), rehearsal.start(), rehearsal.start()]);
    assert.equal(new Set(urls.map(({ url }) => url)).size, 1);
    assert.equal(machine.started.length, 1);
    rehearsal.dispose();
  });

  it('keeps the port of its registration, and takes a free one when somebody else has that', async () => {
    const machine = new Machine();
    machine.registration = { baseUrl: 'http://127.0.0.1:6001', source: SIDECAR };
    const first = machine.window().rehearsal;
    assert.equal((await first.start()).url, 'http://127.0.0.1:6001');
    await first.leave();
    assert.equal(machine.registration.baseUrl, 'http://127.0.0.1:6001', 'kept for the next time');

    machine.ports.set(6001, 'other');
    const second = machine.window().rehearsal;
    assert.equal((await second.start()).url, 'http://127.0.0.1:50000');
    assert.equal(machine.registration.baseUrl, 'http://127.0.0.1:50000');
    second.dispose();
  });

  it("uses another window's, does not stop that, and takes over when the other window is gone", async () => {
    const machine = new Machine();
    const one = machine.window();
    const two = machine.window();
    await one.rehearsal.start();
    assert.equal((await two.rehearsal.start()).state, 'other');
    assert.equal(machine.started.length, 1);
    await assert.rejects(two.rehearsal.stop(), /belongs to another window/);
    assert.notEqual(machine.registration, null);

    await one.rehearsal.leave();
    await until(() => two.rehearsal.state === 'own');
    assert.deepEqual(machine.started, [47_810, 47_810]);
    two.rehearsal.dispose();
  }).timeout(20_000);

  it('does not come back in a second window after it was stopped in the first', async () => {
    const machine = new Machine();
    const one = machine.window();
    const two = machine.window();
    await one.rehearsal.start();
    await two.rehearsal.start();
    await one.rehearsal.stop();
    await until(() => two.rehearsal.state === 'off');
    assert.equal(machine.started.length, 1);
    two.rehearsal.dispose();
  }).timeout(20_000);

  it('says so when its child ends by itself, and can be started again', async () => {
    const machine = new Machine();
    const { rehearsal, states, die } = machine.window();
    await rehearsal.start();
    die();
    await until(() => rehearsal.state === 'off');
    await rehearsal.start();
    assert.deepEqual(states, ['own', 'off', 'own']);
    rehearsal.dispose();
  });

  it('leaves an entry of models.yaml alone, and an endpoint elsewhere too', async () => {
    const machine = new Machine();
    machine.registration = { baseUrl: 'http://127.0.0.1:6002', source: OWN_FILE };
    const { rehearsal } = machine.window();
    await rehearsal.start();
    assert.deepEqual(await rehearsal.stop(), { isStillRegistered: true });
    machine.registration = { baseUrl: 'http://192.168.0.9:8080', source: OWN_FILE };
    await assert.rejects(rehearsal.start(), /not this machine/);
    rehearsal.dispose();
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
