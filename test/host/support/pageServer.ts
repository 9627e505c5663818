import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInThisContext } from 'node:vm';
import type { Driver } from './driver.ts';

export interface PageServer {
  /** Where `onPage` of the suite asks; nobody else knows the path. */
  readonly url: string;
  attach(driver: Driver): void;
  close(): void;
}

/** Runs the functions that a suite sends with `onPage` beside the page, one request each. The loopback side of page.ts. */
export async function startPageServer(): Promise<PageServer> {
  const path = `/${randomUUID()}`;
  let give: (driver: Driver) => void = () => undefined;
  const attached = new Promise<Driver>((resolve) => (give = resolve));

  const server = createServer((request, response) => {
    void (async () => {
      if (request.url !== path) return { error: 'This page belongs to another suite.' };
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
      const { source, input } = JSON.parse(body) as { source: string; input?: unknown };
      const act = runInThisContext(`(${source})`) as (driver: Driver, input: unknown) => unknown;
      return { result: await act(await attached, input) };
    })()
      .catch((error: unknown) => ({ error: error instanceof Error ? error.stack : String(error) }))
      .then((answer) => response.end(JSON.stringify(answer)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    attach: (driver) => give(driver),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
