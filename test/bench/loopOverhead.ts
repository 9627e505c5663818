import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { loopRig, toolsOf } from '../support/loopRig.ts';
import type { Figure } from './figure.ts';

const TURNS = 30;
const PIECES = 50;
const RESULT = 'a line of the file that was read\n'.repeat(60);

/**
 * What the loop costs in each turn beside a bare undici loop that makes the same calls: builds the request, sends it, reads the streamed
 * answer, finds the call in it, answers it with the same text, until the model ends. 30 turns of 50 pieces each, results of 2 kB, so that
 * the last request has 65 kB. Tools do nothing, the server has a thread of its own. In turn, the first run not counted.
 */
export async function loopOverhead(runs: number): Promise<Figure[]> {
  const endpoint = new Worker(new URL('loopEndpointThread.ts', import.meta.url), {
    workerData: { turns: TURNS, pieces: PIECES },
  });
  const [url] = (await once(endpoint, 'message')) as [string];
  const dispatcher = new Agent();
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    for (let run = -1; run < runs; run += 1) {
      const one = await perTurn(() => ourLoop(url));
      const other = await perTurn(() => bareLoop(url, dispatcher));
      if (run < 0) continue;
      ours.push(one);
      bare.push(other);
    }
  } finally {
    await dispatcher.destroy();
    await endpoint.terminate();
  }
  return [
    {
      name: 'loop runner, one turn',
      unit: 'ms',
      ours,
      beside: { what: 'a bare undici loop', values: bare },
    },
  ];
}

async function perTurn(work: () => Promise<number>): Promise<number> {
  const startedMs = performance.now();
  const turns = await work();
  if (turns !== TURNS) throw new Error(`${turns} turns instead of ${TURNS}`);
  return (performance.now() - startedMs) / turns;
}

async function ourLoop(url: string): Promise<number> {
  const tools = toolsOf({ read_file: () => ({ text: RESULT, isError: false }) });
  const rig = loopRig({ url, format: 'openai', tools, maxTurns: TURNS, maxNudges: 0 });
  try {
    const end = await rig.run();
    if (end.failure !== null) throw new Error(end.failure.message);
    return end.turns ?? 0;
  } finally {
    await rig.dispose();
  }
}

interface Delta {
  content?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

async function bareLoop(url: string, dispatcher: Agent): Promise<number> {
  const tools = ['read_file', 'finish'].map((name) => ({
    type: 'function',
    function: {
      name,
      description: `Does ${name}.`,
      parameters: { type: 'object', properties: {} },
    },
  }));
  const messages: unknown[] = [
    { role: 'system', content: 'You are a test.' },
    { role: 'user', content: 'Do it.' },
  ];
  for (let turn = 1; ; turn += 1) {
    const answer = await request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', stream: true, tools, messages }),
      dispatcher,
    });
    let text = '';
    let call: NonNullable<Delta['tool_calls']>[number] | undefined;
    for (const line of (await answer.body.text()).split('\n')) {
      if (!line.startsWith('data: {')) continue;
      const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: Delta }[] };
      text += choices[0]?.delta.content ?? '';
      call ??= choices[0]?.delta.tool_calls?.[0];
    }
    messages.push({ role: 'assistant', content: text, ...(call ? { tool_calls: [call] } : {}) });
    if (call === undefined) return turn;
    messages.push({ role: 'tool', tool_call_id: call.id, content: RESULT });
  }
}
