// A model server for the loop bench in a thread of its own: a call of a tool in each turn, and a report in the last.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { turns, pieces } = workerData as { turns: number; pieces: number };
let turn = 0;

const chunk = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const words = Array.from({ length: pieces }, () => chunk({ content: 'a few words ' })).join('');
const usage = 'data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":10}}\n\n';

function answer(): string {
  turn += 1;
  if (turn % turns === 0) return `${words}${chunk({}, 'stop')}${usage}data: [DONE]\n\n`;
  const call = {
    index: 0,
    id: `call-${turn}`,
    type: 'function',
    function: { name: 'read_file', arguments: JSON.stringify({ path: `file-${turn}.txt` }) },
  };
  return `${words}${chunk({ tool_calls: [call] })}${chunk({}, 'tool_calls')}${usage}data: [DONE]\n\n`;
}

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer());
  });
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
