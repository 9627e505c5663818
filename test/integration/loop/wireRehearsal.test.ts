import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { BridgeError, type ErrorKind } from '../../../src/base/bridgeError.ts';
import { guardedDispatcher } from '../../../src/bridge/endpoints/egressGuard.ts';
import type { EndpointTarget } from '../../../src/bridge/endpoints/endpointTarget.ts';
import { askTurn } from '../../../src/bridge/runners/loop/wire/askTurn.ts';
import type { TurnAnswer } from '../../../src/bridge/runners/loop/wire/turnTypes.ts';
import { startRehearsal, type Rehearsal } from '../../../src/rehearsal/startRehearsal.ts';
import { turnRequest, user } from '../../unit/bridge/runners/loop/wire/histories.ts';

const TOOLS = [
  {
    name: 'run_bash',
    description: 'Runs a command.',
    inputSchema: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
    },
  },
];

describe('a turn of the rehearsal server', () => {
  let rehearsal: Rehearsal;
  let target: EndpointTarget;
  beforeEach(async () => {
    rehearsal = await startRehearsal();
    target = {
      name: 'rehearsal',
      baseUrl: rehearsal.url,
      backend: 'other',
      format: 'auto',
      headers: {},
      dispatcher: guardedDispatcher({ policy: 'local-only' }),
    };
  });
  afterEach(async () => {
    await target.dispatcher.destroy();
    await rehearsal.close();
  });

  async function play(
    script: string,
    format: 'anthropic' | 'openai',
    isStreaming: boolean,
  ): Promise<TurnAnswer | BridgeError> {
    const messages = [user(`\`\`\`rehearsal\n${script}\n\`\`\``)];
    const request = turnRequest({ format, isStreaming, messages, tools: TOOLS, maxTokens: 500 });
    try {
      return await askTurn(target, request, {
        endpoint: 'rehearsal',
        signal: new AbortController().signal,
        timeoutMs: 1500,
        idleTimeoutMs: 1500,
      });
    } catch (error) {
      assert.ok(error instanceof BridgeError);
      return error;
    }
  }

  const faults: [script: string, kind: ErrorKind, isRetryable: boolean, rest?: object][] = [
    ['status 429 retry-after=2', 'rate_limited', true, { status: 429, retry_after_s: 2 }],
    ['status 529', 'rate_limited', true, { status: 529 }],
    ['status 503', 'backend_error', true, { status: 503 }],
    ['status 400', 'backend_error', false, { status: 400 }],
    ['html', 'backend_error', false, { status: 200 }],
    ['bad-json', 'backend_error', true, { status: 200 }],
    ['overflow', 'context_overflow', false],
  ];
  for (const format of ['anthropic', 'openai'] as const) {
    for (const isStreaming of [true, false]) {
      const how = `${format}, ${isStreaming ? 'stream' : 'document'}`;
      it(`a call and a text, with thinking, byte by byte (${how})`, async () => {
        const answer = await play(
          'split every 1 byte\nthinking: Hm — ü.\nrun: echo "ä"',
          format,
          isStreaming,
        );
        assert.ok(!(answer instanceof BridgeError));
        const [thinking, call] = answer.blocks;
        assert.deepEqual(
          [thinking?.type, call?.type, answer.blocks.length],
          ['thinking', 'tool_call', 2],
        );
        assert.deepEqual(call?.type === 'tool_call' ? call.input : null, { command: 'echo "ä"' });
        assert.deepEqual([answer.stopReason, answer.modelServed], ['tool_use', 'rehearsal']);
        const said = await play('split every 3 bytes\nsay: Done — ✓.', format, isStreaming);
        assert.ok(!(said instanceof BridgeError));
        assert.deepEqual(said.blocks, [{ type: 'text', text: 'Done — ✓.' }]);
      });

      for (const [script, kind, isRetryable, rest = {}] of faults) {
        it(`${script} is ${kind} (${how})`, async () => {
          const error = await play(script, format, isStreaming);
          assert.ok(error instanceof BridgeError, JSON.stringify(error));
          assert.deepEqual([error.kind, error.details['is_retryable']], [kind, isRetryable]);
          for (const [key, value] of Object.entries(rest)) assert.equal(error.details[key], value);
        });
      }

      it(`hang is a time limit (${how})`, async () => {
        const error = await play('hang 30s\nsay: a', format, isStreaming);
        assert.ok(BridgeError.is(error, 'idle_timeout', 'timeout'), JSON.stringify(error));
        assert.equal(error.details['is_retryable'], true);
      });

      it(`empty is an answer with nothing in it (${how})`, async () => {
        const got = await play('empty', format, isStreaming);
        assert.ok(!(got instanceof BridgeError));
        assert.deepEqual([got.blocks, got.stopReason], [[], 'end_turn']);
      });

      it(`cut is never a good end (${how})`, async () => {
        const got = await play('cut\nsay: a long text that breaks off', format, isStreaming);
        if (got instanceof BridgeError) assert.equal(got.details['is_retryable'], true);
        else assert.equal(got.stopReason, 'unknown');
      });
    }
  }
});
