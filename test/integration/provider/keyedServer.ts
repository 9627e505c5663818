import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRehearsal } from '../../../src/rehearsal/startRehearsal.ts';

export interface KeyedServer {
  readonly url: string;
  /** Every key that came, in either header. */
  readonly keys: Set<string>;
  /** Paths that were posted to with a model. */
  readonly paths: Set<string>;
  close(): Promise<void>;
}

/** A provider: a rehearsal server behind a door that opens to one key, and that repeats a key which it refuses. */
export async function keyedServer(key: string): Promise<KeyedServer> {
  const rehearsal = await startRehearsal({});
  const keys = new Set<string>();
  const paths = new Set<string>();
  const server = createServer((incoming, outgoing) => {
    const given = keyOf(incoming);
    if (given !== null) keys.add(given);
    if (given !== key) {
      outgoing.writeHead(401, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ error: { message: `Wrong key: ${given ?? 'none'}` } }));
      return;
    }
    if (incoming.method === 'POST') paths.add(incoming.url ?? '');
    pass(rehearsal.url, incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    paths,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rehearsal.close();
    },
  };
}

function keyOf({ headers }: IncomingMessage): string | null {
  const bearer = headers.authorization?.replace(/^Bearer /, '');
  const direct = headers['x-api-key'];
  return (typeof direct === 'string' ? direct : bearer) ?? null;
}

function pass(base: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const onward = request(
    new URL(incoming.url ?? '/', base),
    { method: incoming.method ?? 'GET', headers: incoming.headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
