import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface CannedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Answerer = (request: RecordedRequest) => CannedAnswer | null;

/** A server that notes every connection and request and answers as it is told; by default it serves one model called `far`. */
export async function startRecorder(
  answer: Answerer = servesModel('far'),
  host = '127.0.0.1',
): Promise<{
  readonly url: string;
  readonly port: number;
  readonly connections: () => number;
  readonly requests: RecordedRequest[];
  close(): Promise<void>;
}> {
  let connections = 0;
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const recorded = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(recorded);
      const { status = 200, headers: more = {}, body = '' } = answer(recorded) ?? { status: 404 };
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(body);
    });
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    port,
    connections: () => connections,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function servesModel(id: string): Answerer {
  return ({ url }) => (/\/v1\/models/.test(url) ? { body: modelsPage(id) } : null);
}

export function modelsPage(id: string): string {
  return JSON.stringify({ object: 'list', data: [{ id, object: 'model', owned_by: 'test' }] });
}
