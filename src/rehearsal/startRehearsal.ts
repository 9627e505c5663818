import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestHandler, type RequestObservers } from './requestHandler.ts';
import { Slots } from './slots.ts';

export interface RehearsalOptions extends RequestObservers {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** The id it answers for, whatever a request asks for. Default "rehearsal". */
  model?: string;
  /** Window of a slot in tokens; a longer prompt is refused as llama.cpp does. Default 200000. */
  context?: number;
  /** Concurrent answers. Default 4. */
  slots?: number;
}

export interface Rehearsal {
  /** http://HOST:PORT, without a slash at the end. */
  readonly url: string;
  /** Requests for an answer so far; probes, counts and pages are not among them. */
  requests(): number;
  /** Drops every connection, also those that hang on purpose. */
  close(): Promise<void>;
}

/**
 * Starts a model server that needs no model: it plays the ```rehearsal script in the newest message through the client's
 * own tools. Rejects with the system's error when the address cannot be used.
 */
export async function startRehearsal(options: RehearsalOptions = {}): Promise<Rehearsal> {
  const { host = '127.0.0.1', port = 0, model = 'rehearsal', context = 200_000 } = options;
  const served = { id: model, contextTokens: context, createdS: Math.floor(Date.now() / 1000) };
  const handler = new RequestHandler(served, new Slots(options.slots ?? 4), options);
  const server = createServer((request, response) => void handler.handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shownHost}:${address.port}`,
    requests: () => handler.requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
