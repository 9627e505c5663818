// A model server for the gateway bench in a thread of its own, so that its work is not in the figures of the proxies before it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { start, event, longEvents } = workerData as {
  start: string;
  event: string;
  longEvents: number;
};
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(start);
    let left = request.url === '/v1/messages?long' ? longEvents : 3;
    const more = (): void => {
      for (; left > 0; left -= 1) {
        if (!response.write(event)) return void response.once('drain', more);
      }
      response.end('event: message_stop\ndata: {"type":"message_stop"}\n\n');
    };
    more();
  });
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
