import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Usage } from '../../protocol/job.ts';
import { carryRequest } from './carryRequest.ts';
import { Exchange } from './exchange.ts';
import type { GatewayOptions } from './gatewayOptions.ts';
import { GatewayTotals } from './gatewayTotals.ts';
import { PrefixMeter } from './prefixMeter.ts';
import { gatewayRoute } from './route.ts';

export interface Gateway {
  /** `http://127.0.0.1:<port>/<token>`, for ANTHROPIC_BASE_URL. The token is a secret of the job. */
  readonly url: string;
  /** Model requests that reached the endpoint: it answered with a status. */
  readonly requests: number;
  /** Those of them that were answered to the end without an error. */
  readonly answered: number;
  /** Model named in the latest answer; null when no answer named one. */
  modelServed(): string | null;
  /** Tokens in the window after the session's latest answer, subagents not counted; null when unknown. */
  contextUsed(): number | null;
  /** What all answers used together; null where none said. */
  usage(): Usage;
  /**
   * Ends open requests and connections; resolves when each is recorded.
   *
   * @throws what `record` threw first, as a BridgeError.
   */
  close(): Promise<void>;
}

/**
 * Starts the gateway of one job: loopback only, a port of the system's choice, a random token in the path.
 *
 * @throws BridgeError `host_start_failed` when no port can be had, `config_invalid` for a base URL that is none.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  if (!/^https?:$/.test(URL.parse(options.upstream.baseUrl)?.protocol ?? '')) {
    throw new BridgeError(
      'config_invalid',
      'The base_url of the endpoint is not an http or https URL.',
    );
  }
  const token = randomBytes(32).toString('hex');
  const totals = new GatewayTotals();
  const prefixes = new PrefixMeter();
  const open = new Map<Exchange, Promise<void>>();
  /** First fault of a callback (a record that could not be written); `close()` throws it. */
  let failure: BridgeError | null = null;

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const path = pathBehindToken(request.url ?? '', token);
    if (path === null) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    const exchange = new Exchange(request, response, path, options);
    const served = serve(exchange, options, prefixes)
      .finally(() => {
        open.delete(exchange);
        const record = exchange.finish();
        totals.add(exchange);
        options.record(record);
      })
      .catch((error: unknown) => {
        failure ??= BridgeError.from(error);
      });
    open.set(exchange, served);
  };

  // Answers take as long as they take: Node's own limits for a request would cut uploads and idle connections of the client.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 }, handle);
  server.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new BridgeError(
      'host_start_failed',
      'The gateway of the job could not open a port on 127.0.0.1.',
      { cause: error },
    );
  }
  // Out of file descriptors, say: the client sees its connection fail and says so; the gateway goes on.
  server.on('error', () => undefined);
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/${token}`,
    get requests() {
      return totals.requests;
    },
    get answered() {
      return totals.answered;
    },
    modelServed: () => totals.modelServed,
    contextUsed: () => totals.contextUsed,
    usage: () => totals.usage,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const exchange of open.keys())
        exchange.end(new BridgeError('cancelled', 'The job ended.'));
      await Promise.allSettled(open.values());
      server.closeAllConnections();
      await closed;
      if (failure !== null) throw failure;
    },
  };
}

async function serve(
  exchange: Exchange,
  options: GatewayOptions,
  prefixes: PrefixMeter,
): Promise<void> {
  const route = gatewayRoute(
    exchange.request.method ?? '',
    exchange.record.path.replace(/\?.*$/s, ''),
  );
  if (route === 'alive') {
    exchange.record.status = 200;
    exchange.response.writeHead(200).end();
  } else if (route === null) {
    exchange.fail(
      new BridgeError('not_supported', 'This gateway carries requests to models only.'),
    );
  } else {
    await carryRequest(exchange, route, options, prefixes);
  }
}

/** Path and query behind the token, beginning with `/`; null when the token is not that of the job. */
function pathBehindToken(url: string, token: string): string | null {
  const given = Buffer.from(url.slice(1, 1 + token.length));
  const wanted = Buffer.from(token);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const rest = url.slice(1 + token.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : null;
}
