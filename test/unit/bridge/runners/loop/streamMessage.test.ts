import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { streamMessage } from '../../../../../src/bridge/runners/loop/streamMessage.ts';
import { readEvent } from '../../../../../webview-ui/jobPanel/events/readEvent.ts';

const END = { text: null, turns: 3, usage: null, modelServed: null, exitCode: null, warnings: [] };

/** What the page of a job makes of a message. */
function shown(value: unknown): unknown[] {
  const line = JSON.stringify({ v: 1, seq: 1, at: '2026-01-01T00:00:00Z', type: 'message', value });
  return readEvent(line).steps.map((step) =>
    Object.fromEntries(
      Object.entries(step).filter(([key]) =>
        ['kind', 'text', 'name', 'subject', 'isError', 'exit', 'callId'].includes(key),
      ),
    ),
  );
}

describe('streamMessage, as the page of a job shows it', () => {
  const result = { callId: 'c', name: 'run_bash', text: 'exit_code: 3', isError: false };
  const table: { name: string; value: unknown; steps: unknown[] }[] = [
    {
      name: 'the beginning',
      value: streamMessage.began('s', 'm'),
      steps: [{ kind: 'mark', text: 'The session began' }],
    },
    {
      name: 'an answer',
      value: streamMessage.answer(1, 'm', [
        { type: 'thinking', text: 'hm', signature: null, isRedacted: false },
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', id: 'c', name: 'read_file', input: { path: 'a.ts' }, rawInput: '' },
      ]),
      steps: [
        { kind: 'thought' },
        { kind: 'said' },
        { kind: 'call', callId: 'c', name: 'read_file', subject: 'a.ts' },
      ],
    },
    {
      name: 'a command that failed',
      value: streamMessage.results([result], new Map([['c', 3]])),
      steps: [{ kind: 'result', callId: 'c', isError: true, exit: 3 }],
    },
    {
      name: 'a command that did not fail',
      value: streamMessage.results([result], new Map([['c', 0]])),
      steps: [{ kind: 'result', callId: 'c', isError: false, exit: null }],
    },
    {
      name: 'another attempt',
      value: streamMessage.retry(2, 1500, 503, 'busy'),
      steps: [{ kind: 'mark', text: 'Retry 2: 503 busy, again in 2 s' }],
    },
    {
      name: 'room that was made',
      value: streamMessage.madeRoom(20_000),
      steps: [{ kind: 'mark', text: 'The conversation was compacted at 20k tokens' }],
    },
    {
      name: 'a good end',
      value: streamMessage.ended({ ...END, failure: null, stopReason: 'finish' }),
      steps: [{ kind: 'mark', text: 'The session ended' }],
    },
    {
      name: 'a bad end',
      value: streamMessage.ended({
        ...END,
        failure: { kind: 'context_overflow', message: 'too long', hint: '' },
        stopReason: null,
      }),
      steps: [{ kind: 'mark', text: 'The session ended with context overflow' }],
    },
  ];
  for (const { name, value, steps } of table) {
    it(name, () => {
      const found = shown(value);
      assert.equal(found.length, steps.length);
      for (const [at, step] of steps.entries()) {
        const { text, ...rest } = step as { text?: unknown };
        const { text: foundText, ...foundRest } = found[at] as { text?: unknown };
        assert.deepEqual(foundRest, rest);
        if (typeof text === 'string') assert.equal(foundText, text);
      }
    });
  }
});
