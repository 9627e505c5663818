import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLlamaServer } from '../../tools/llamaServer.mjs';
import { bridgeWorld, PERSON } from '../support/bridgeWorld.ts';
import { startLlamaServer } from '../support/llamaServer.ts';
import type { Figure } from './figure.ts';

const TURNS = 30;
const WINDOW_TOKENS = 24_576;
/** About a thousand tokens each: what is read in a job is more than twice the window. */
const LINES = 90;
/** Newest tool results that rolling eviction leaves whole: the setting of delegate-local. */
const KEPT = 6;

const names = Array.from({ length: TURNS - 1 }, (_, index) => `part${index}.txt`);
const textOf = (name: string): string =>
  Array.from({ length: LINES }, (_, line) => `${name} line ${line} of the material\n`).join('');

/**
 * Prompt tokens that a real llama-server processes in each turn of a 30-turn job that reads more than its window holds: what its
 * prompt cache did not have. The loop runner, which drops old results rarely and many at once, beside a bare loop over the same
 * texts that drops one with each turn, so that all behind it is processed again. One value per turn after the first.
 */
export async function loopPrefix(runs: number): Promise<Figure[]> {
  const found = await findLlamaServer();
  if (!found.ok) throw new Error(found.reason);
  const ours: number[] = [];
  const rolling: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    await withServer(found.path, async (url) => ours.push(...(await loopJob(url))));
    await withServer(found.path, async (url) => rolling.push(...(await rollingLoop(url))));
  }
  return [
    {
      name: 'prompt tokens processed in a turn of a long job',
      unit: 'tokens',
      ours,
      beside: { what: 'a bare loop with rolling eviction', values: rolling },
    },
  ];
}

async function withServer(binary: string, use: (url: string) => Promise<unknown>): Promise<void> {
  const server = await startLlamaServer({
    binary,
    contextTokens: WINDOW_TOKENS,
    steps: [
      ...names.map((path) => ({ tool: 'read_file', input: { path } })),
      { text: 'All parts are read.' },
    ],
  });
  try {
    await use(server.url);
  } finally {
    await server.stop();
  }
}

async function loopJob(url: string): Promise<number[]> {
  const world = await bridgeWorld({
    models: `endpoints:\n  llama: { base_url: ${url} }\nrunners: { loop: { nudges: 0, max_turns: 40 } }\n`,
  });
  try {
    for (const name of names) writeFileSync(join(world.repo.root, name), textOf(name));
    const job = await world.run(
      { task: 'Read all parts.', runner: 'loop', readOnly: true, isolation: 'none' },
      PERSON,
    );
    if (job.status !== 'done')
      throw new Error(`the job ended as ${job.status}: ${job.failure?.message}`);
    return requestsOf(world.log(job.id, 'requests.jsonl'));
  } finally {
    await world.dispose();
  }
}

function requestsOf(log: string): number[] {
  return (
    log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { status: number | null; usage: { input: number | null } })
      // A connection that the server closed meanwhile had no answer, and the turn was asked for again.
      .filter(({ status }) => status === 200)
      .map(({ usage }) => processed(usage.input))
      .slice(1)
  );
}

function processed(tokens: number | null): number {
  if (tokens === null) throw new Error('the server did not say what it processed');
  return tokens;
}

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

async function rollingLoop(url: string): Promise<number[]> {
  const tool = {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
      },
    },
  };
  const messages: ChatMessage[] = [{ role: 'user', content: 'Read all parts.' }];
  const counts: number[] = [];
  for (const name of [...names, null]) {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model: 'scripted', max_tokens: 256, tools: [tool] },
        messages: withoutOld(messages),
      }),
    });
    const answer = (await response.json()) as {
      choices: [{ message: ChatMessage }];
      usage: { prompt_tokens: number; prompt_tokens_details?: { cached_tokens?: number } };
    };
    const cached = answer.usage.prompt_tokens_details?.cached_tokens ?? null;
    counts.push(processed(cached === null ? null : answer.usage.prompt_tokens - cached));
    if (name === null) break;
    const { message } = answer.choices[0];
    const id = message.tool_calls?.[0]?.id;
    if (id === undefined) throw new Error('the scripted model made no call');
    messages.push(message, { role: 'tool', tool_call_id: id, content: textOf(name) });
  }
  return counts.slice(1);
}

function withoutOld(messages: readonly ChatMessage[]): ChatMessage[] {
  const results = messages.filter(({ role }) => role === 'tool');
  const old = new Set(results.slice(0, -KEPT));
  return messages.map((message) =>
    old.has(message) ? { ...message, content: '[evicted; ask again]' } : message,
  );
}
