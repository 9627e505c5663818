import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { fetch, request, type Dispatcher } from 'undici';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import {
  guardedDispatcher,
  type EgressOptions,
} from '../../../../src/bridge/endpoints/egressGuard.ts';
import { TEST_CERTIFICATE, TEST_KEY } from './testCertificate.ts';

/** 127.0.0.1 plays the near network and 127.0.0.2 the internet: no test sends anything off the machine. */
const FAR = '127.0.0.2';
const isAllowed = (address: string): boolean => address !== FAR;

/** A TCP server that counts connections and bytes. */
class Recorder {
  connections = 0;
  bytes = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((socket) => {
      this.connections++;
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        this.bytes += data.length;
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi');
      });
    });
  }

  static async start(host: string, port = 0): Promise<Recorder> {
    const recorder = new Recorder();
    await new Promise<void>((resolve, reject) => {
      recorder.#server.once('error', reject);
      recorder.#server.listen(port, host, resolve);
    });
    return recorder;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('guardedDispatcher', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  function dispatcher(options: EgressOptions): Dispatcher {
    const made = guardedDispatcher(options);
    cleanups.push(() => made.destroy());
    return made;
  }

  async function record(host: string, port = 0): Promise<Recorder> {
    const recorder = await Recorder.start(host, port);
    cleanups.push(() => recorder.stop());
    return recorder;
  }

  async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    cleanups.push(() => new Promise((resolve) => server.close(resolve)));
    return (server.address() as AddressInfo).port;
  }

  async function refused(promise: Promise<unknown>): Promise<BridgeError> {
    const error: unknown = await promise.then(
      () => assert.fail('was let through'),
      (reason: unknown) => reason,
    );
    const inner = error instanceof TypeError ? error.cause : error;
    assert.ok(BridgeError.is(inner, 'policy_refused'), String(inner));
    return inner;
  }

  describe('addresses that are denied, whatever the policy', () => {
    const isDenied = (address: string): boolean => address === FAR;

    it('get no connection, by number, by name and after the name has moved', async () => {
      const far = await record(FAR);
      const near = await record('127.0.0.1', far.port);
      const answers = [['127.0.0.1'], [FAR], [FAR, '127.0.0.1']];
      const guarded = dispatcher({
        policy: 'any',
        isDenied,
        lookup: async () => answers.shift() ?? [],
      });
      const url = `http://provider.example:${far.port}/`;
      await (await request(url, { dispatcher: guarded })).body.dump();
      const error = await refused(request(url, { dispatcher: guarded }));
      assert.match(error.message, /hands out credentials/);
      await (await request(url, { dispatcher: guarded })).body.dump();
      await refused(request(`http://${FAR}:${far.port}/`, { dispatcher: guarded }));
      assert.deepEqual([far.connections, near.connections], [0, 2]);
    });

    it('are denied beside what local-only denies', async () => {
      const far = await record(FAR);
      const guarded = dispatcher({ policy: 'local-only', isDenied, isAllowed: () => true });
      await refused(request(`http://${FAR}:${far.port}/`, { dispatcher: guarded }));
      assert.equal(far.connections, 0);
    });
  });

  describe('local-only', () => {
    it('lets near addresses through, by name and by number', async () => {
      const near = await record('127.0.0.1');
      const guarded = dispatcher({ policy: 'local-only', lookup: async () => ['127.0.0.1'] });
      for (const host of ['127.0.0.1', 'tower.lan']) {
        const response = await request(`http://${host}:${near.port}/`, { dispatcher: guarded });
        assert.equal(await response.body.text(), 'hi');
      }
      assert.equal(near.connections, 2);
    });

    it('a literal far address gets no connection', async () => {
      const far = await record(FAR);
      const guarded = dispatcher({ policy: 'local-only', isAllowed });
      for (const url of [
        `http://${FAR}:${far.port}/`,
        `https://${FAR}:${far.port}/`,
        `http://0x7f000002:${far.port}/`,
        `http://2130706434:${far.port}/`,
      ]) {
        await refused(request(url, { dispatcher: guarded, method: 'POST', body: 'secret' }));
      }
      assert.deepEqual([far.connections, far.bytes], [0, 0]);
    });

    it('a name that means a far address gets no connection, TLS neither', async () => {
      const far = await record(FAR);
      const guarded = dispatcher({ policy: 'local-only', isAllowed, lookup: async () => [FAR] });
      for (const scheme of ['http', 'https']) {
        const error = await refused(
          request(`${scheme}://tower.lan:${far.port}/`, { dispatcher: guarded }),
        );
        assert.match(error.message, /tower\.lan \(127\.0\.0\.2\)/);
      }
      assert.deepEqual([far.connections, far.bytes], [0, 0]);
    });

    it('of a name with near and far addresses only the near ones are connected to', async () => {
      const far = await record(FAR);
      const near = await record('127.0.0.1', far.port);
      const guarded = dispatcher({
        policy: 'local-only',
        isAllowed,
        lookup: async () => [FAR, '127.0.0.1'],
      });
      const response = await request(`http://tower.lan:${far.port}/`, { dispatcher: guarded });
      await response.body.dump();
      assert.equal(near.connections, 1);
      assert.equal(far.connections, 0);
    });

    it('a name that changes its address between two connections is checked again', async () => {
      const far = await record(FAR);
      await record('127.0.0.1', far.port);
      const answers = [['127.0.0.1'], [FAR], [FAR]];
      const guarded = dispatcher({
        policy: 'local-only',
        isAllowed,
        lookup: async () => answers.shift() ?? [FAR],
      });
      const url = `http://rebinding.example:${far.port}/`;
      await (await request(url, { dispatcher: guarded })).body.dump();
      await refused(request(url, { dispatcher: guarded }));
      assert.equal(far.connections, 0);
    });

    it('the address that was checked is the one that is connected to: the name is resolved once', async () => {
      const near = await record('127.0.0.1');
      let lookups = 0;
      const guarded = dispatcher({
        policy: 'local-only',
        isAllowed,
        lookup: async () => (lookups++ === 0 ? ['127.0.0.1'] : [FAR]),
      });
      await (await request(`http://tower.lan:${near.port}/`, { dispatcher: guarded })).body.dump();
      assert.deepEqual([lookups, near.connections], [1, 1]);
    });

    it('the address that the socket says it has is checked as well', async () => {
      const near = await record('127.0.0.1');
      for (const host of ['127.0.0.1', 'tower.lan']) {
        let checks = 0;
        const guarded = dispatcher({
          policy: 'local-only',
          isAllowed: () => checks++ === 0,
          lookup: async () => ['127.0.0.1'],
        });
        await refused(request(`http://${host}:${near.port}/`, { dispatcher: guarded }));
        assert.equal(checks, 2);
      }
      assert.equal(near.bytes, 0);
    });

    it('a redirect leads nowhere: request gives it back, fetch is refused', async () => {
      const far = await record(FAR);
      const port = await listen(
        createHttpServer((_, response) => {
          response.writeHead(307, { location: `http://${FAR}:${far.port}/` }).end();
        }),
      );
      const guarded = dispatcher({ policy: 'local-only', isAllowed });
      const response = await request(`http://127.0.0.1:${port}/`, {
        dispatcher: guarded,
        method: 'POST',
        body: 'secret',
      });
      assert.equal(response.statusCode, 307);
      await response.body.dump();
      await refused(
        fetch(`http://127.0.0.1:${port}/`, { dispatcher: guarded, method: 'POST', body: 'secret' }),
      );
      assert.deepEqual([far.connections, far.bytes], [0, 0]);
    });

    it('a proxy is refused, even a near one', () => {
      assert.throws(
        () => guardedDispatcher({ policy: 'local-only', proxy: 'http://127.0.0.1:3128' }),
        (error) => BridgeError.is(error, 'policy_refused'),
      );
    });

    it('proxies of the environment play no part', async () => {
      const proxy = await record('127.0.0.1');
      const near = await record('127.0.0.1');
      const before = process.env['HTTP_PROXY'];
      process.env['HTTP_PROXY'] = `http://127.0.0.1:${proxy.port}`;
      try {
        const guarded = dispatcher({ policy: 'local-only' });
        await (
          await request(`http://127.0.0.1:${near.port}/`, { dispatcher: guarded })
        ).body.dump();
      } finally {
        if (before === undefined) delete process.env['HTTP_PROXY'];
        else process.env['HTTP_PROXY'] = before;
      }
      assert.deepEqual([proxy.connections, near.connections], [0, 1]);
    });

    it('whatever a resolver answers, nothing but a near address is ever connected to', async () => {
      const address = fc.oneof(
        fc.constantFrom('127.0.0.1', '10.0.0.1', '::1', 'localhost', ''),
        fc.ipV4(),
        fc.ipV6(),
      );
      const near = (candidate: string): boolean => candidate === '127.0.0.1';
      const far = await record(FAR);
      await fc.assert(
        fc.asyncProperty(fc.array(address, { maxLength: 4 }), async (answers) => {
          const rest = answers.filter((candidate) => !near(candidate));
          const guarded = guardedDispatcher({
            policy: 'local-only',
            isAllowed: near,
            lookup: async () => rest,
          });
          await refused(request(`http://tower.lan:${far.port}/`, { dispatcher: guarded }));
          await guarded.destroy();
        }),
        { numRuns: 50 },
      );
      assert.equal(far.connections, 0);
    });

    it('with the real classes: public numbers are refused before anything is sent', async () => {
      const guarded = dispatcher({ policy: 'local-only' });
      for (const host of [
        '192.0.2.1',
        '[2001:db8::1]',
        '[::ffff:192.0.2.1]',
        '[64:ff9b::c000:201]',
        '169.254.169.254',
      ]) {
        await refused(request(`http://${host}/`, { dispatcher: guarded }));
      }
    });
  });

  it('other policies may go anywhere', async () => {
    const far = await record(FAR);
    for (const policy of ['prefer-local', 'any'] as const) {
      const open = dispatcher({ policy, isAllowed });
      await (await request(`http://${FAR}:${far.port}/`, { dispatcher: open })).body.dump();
    }
    assert.equal(far.connections, 2);
  });

  it('localhost finds a server that listens on one family only', async function () {
    const guarded = dispatcher({ policy: 'local-only' });
    for (const host of ['127.0.0.1', '::1']) {
      let recorder: Recorder;
      try {
        recorder = await record(host);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL') this.skip();
        throw error;
      }
      const response = await request(`http://localhost:${recorder.port}/`, { dispatcher: guarded });
      assert.equal(await response.body.text(), 'hi');
    }
  });

  describe('TLS', () => {
    async function tlsUrl(): Promise<string> {
      const server = createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (_, response) =>
        response.end('sealed'),
      );
      return `https://localhost:${await listen(server)}/`;
    }

    it('an unknown authority is refused, a configured one and `insecure` reach the connection', async () => {
      const url = await tlsUrl();
      await assert.rejects(
        request(url, { dispatcher: dispatcher({ policy: 'local-only' }) }),
        /self-signed/,
      );
      for (const tls of [{ ca: TEST_CERTIFICATE }, { insecure: true }]) {
        for (const policy of ['local-only', 'any'] as const) {
          const response = await request(url, { dispatcher: dispatcher({ policy, tls }) });
          assert.equal(await response.body.text(), 'sealed');
        }
      }
    });

    it('through a proxy too', async () => {
      const url = await tlsUrl();
      const { port, seen } = await startProxy();
      const proxy = `http://user:pass@127.0.0.1:${port}`;
      await assert.rejects(
        request(url, { dispatcher: dispatcher({ policy: 'any', proxy }) }),
        /self-signed/,
      );
      const response = await request(url, {
        dispatcher: dispatcher({ policy: 'any', proxy, tls: { ca: TEST_CERTIFICATE } }),
      });
      assert.equal(await response.body.text(), 'sealed');
      assert.equal(seen.at(-1), `CONNECT ${new URL(url).host} Basic dXNlcjpwYXNz`);
    });
  });

  it('a proxy carries plain HTTP as well', async () => {
    const near = await record('127.0.0.1');
    const { port, seen } = await startProxy();
    const proxied = dispatcher({ policy: 'prefer-local', proxy: `http://127.0.0.1:${port}` });
    const response = await request(`http://127.0.0.1:${near.port}/x`, { dispatcher: proxied });
    assert.equal(await response.body.text(), 'hi');
    assert.deepEqual(seen, [`CONNECT 127.0.0.1:${near.port} -`]);
  });

  it('a proxy that is no http URL is refused in words', () => {
    for (const proxy of ['socks5://127.0.0.1:1', '127.0.0.1:3128', 'nonsense']) {
      assert.throws(
        () => guardedDispatcher({ policy: 'any', proxy }),
        (error) => BridgeError.is(error, 'config_invalid'),
      );
    }
  });

  /** A forward proxy for tunnels to loopback. */
  async function startProxy(): Promise<{ port: number; seen: string[] }> {
    const { connect } = await import('node:net');
    const seen: string[] = [];
    const server = createHttpServer();
    server.on('connect', (message, client) => {
      seen.push(`CONNECT ${message.url} ${message.headers['proxy-authorization'] ?? '-'}`);
      const upstream = connect(Number(message.url?.split(':').at(-1)), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on('error', () => client.destroy());
      client.on('error', () => upstream.destroy());
    });
    return { port: await listen(server), seen };
  }
});
