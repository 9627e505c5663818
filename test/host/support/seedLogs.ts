import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobDir } from '../../../src/bridge/jobs/jobPaths.ts';

const FIRST_MS = Date.now();

/** Lines of events.jsonl as a session writes them: `messages` are those of Claude Code's stream. */
export function eventLines(messages: readonly unknown[]): string {
  return messages
    .map((value, n) => {
      const at = new Date(FIRST_MS + n * 700).toISOString();
      return `${JSON.stringify({ v: 1, seq: n + 1, at, type: 'message', value })}\n`;
    })
    .join('');
}

/** The model says or calls something. */
export function assistantMessage(n: number, content: unknown): unknown {
  return {
    type: 'assistant',
    parent_tool_use_id: null,
    message: { id: `msg_${n}`, model: 'rehearsal', content: [content] },
  };
}

/** A call of a tool, and its answer. */
export function callMessages(
  n: number,
  call: {
    readonly name: string;
    readonly input: unknown;
    readonly answer: string;
    readonly isError?: boolean;
  },
): unknown[] {
  const { name, input, answer, isError = false } = call;
  const id = `call_${n}`;
  return [
    assistantMessage(n, { type: 'tool_use', id, name, input }),
    {
      type: 'user',
      parent_tool_use_id: null,
      message: {
        content: [{ type: 'tool_result', tool_use_id: id, content: answer, is_error: isError }],
      },
    },
  ];
}

/** Lines of requests.jsonl: a window that fills, and answers of changing speed. */
export function requestLines(count: number): string {
  return Array.from({ length: count }, (_, n) => {
    const record = {
      t: new Date(FIRST_MS + n * 9000).toISOString(),
      path: '/v1/messages?beta=true',
      status: 200,
      ms_first_byte: 300,
      ms_total: 1300 + (n % 7) * 150,
      tools: 8,
      usage: { input: 9000 + ((n * 1700) % 88_000), output: 90, cache_read: 0, cache_write: 0 },
    };
    return `${JSON.stringify(record)}\n`;
  }).join('');
}

/** Puts logs into the folder of a seeded job. */
export function seedLogs(
  stateDir: string,
  jobId: string,
  logs: Readonly<Record<string, string>>,
): void {
  for (const [name, text] of Object.entries(logs))
    writeFileSync(join(jobDir(stateDir, jobId), name), text);
}
