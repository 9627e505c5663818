import { createServer, type Server } from 'node:http';
import { modelsPage } from '../invariants/recorder.ts';

/** A public address, of this machine alone inside the network of the test. */
export const FAR_ADDRESS = '203.0.113.7';

/** A cloud that would gladly answer anything, and counts every connection and byte that it sees, on several ports. */
export async function startFarServer(ports: readonly number[]): Promise<{
  seen(): { connections: number; bytes: number };
  close(): Promise<void>;
}> {
  const seen = { connections: 0, bytes: 0 };
  const servers: Server[] = [];
  for (const port of ports) {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      const isList = /\/v1\/models/.test(request.url ?? '');
      response.end(isList ? modelsPage('rehearsal') : JSON.stringify(ANSWER));
    });
    server.on('connection', (socket) => {
      seen.connections += 1;
      socket.on('data', (chunk: Buffer) => (seen.bytes += chunk.length));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, FAR_ADDRESS, resolve);
    });
    servers.push(server);
  }
  return {
    seen: () => ({ ...seen }),
    close: async () => {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

const ANSWER = {
  id: 'far',
  type: 'message',
  role: 'assistant',
  model: 'rehearsal',
  content: [{ type: 'text', text: 'From far away.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
};
