import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { HostWindow } from './support/hostWindow.ts';

/** A window that is not trusted; the endpoint of models.yaml is a server that writes down whoever asks it. */
export const window: HostWindow = {
  settings: { 'files.autoSave': 'off' },
  isTrusted: false,
  timeoutMs: 6 * 60_000,
  prepare: async (world) => {
    const log = join(world.repo.scratch, 'asked.log');
    writeFileSync(log, '');
    const server = createServer((request, response) => {
      appendFileSync(log, `${request.url ?? ''}\n`);
      response.end('{"object":"list","data":[{"id":"fake","object":"model"}]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.unref();
    const { port } = server.address() as AddressInfo;
    writeFileSync(
      world.modelsFile,
      `endpoints:\n  mine: { base_url: "http://127.0.0.1:${port}", host: here }\n`,
    );
  },
};
