import assert from 'node:assert/strict';
import { describe } from 'mocha';
import { guardedDispatcher } from '../../../src/bridge/endpoints/egressGuard.ts';
import type { EndpointTarget } from '../../../src/bridge/endpoints/endpointTarget.ts';
import type { Message } from '../../../src/bridge/runners/loop/history.ts';
import { askTurn } from '../../../src/bridge/runners/loop/wire/askTurn.ts';
import type { TurnAnswer } from '../../../src/bridge/runners/loop/wire/turnTypes.ts';
import { startLlamaServer } from '../../support/llamaServer.ts';
import { assistant, turnRequest, user } from '../../unit/bridge/runners/loop/wire/histories.ts';
import { itWithLlama } from '../llama/withLlama.ts';

const STEPS = [
  { tool: 'run_bash', input: { command: 'printf "a\\nb"', note: 'ü — "quoted" 😀' } },
  { tool: 'read_file', input: { path: 'src/ä.ts', range: { from: 1, lines: [1, 2] } } },
  { tool: 'run_bash', input: { command: 'npm test' } },
  { text: 'All three steps are done — ✓.' },
];

const schema = (...names: string[]): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});
const TOOLS = [
  { name: 'run_bash', description: 'Runs a command.', inputSchema: schema('command', 'note') },
  { name: 'read_file', description: 'Reads a file.', inputSchema: schema('path', 'range') },
];

describe('turns of a real llama-server', function () {
  this.timeout(120_000);

  for (const format of ['anthropic', 'openai'] as const) {
    for (const isStreaming of [true, false]) {
      const how = isStreaming ? 'as a stream' : 'as documents';
      itWithLlama(`the script to its end, in the ${format} format, ${how}`, async (binary) => {
        const server = await startLlamaServer({ binary, steps: STEPS });
        const dispatcher = guardedDispatcher({ policy: 'local-only' });
        const target: EndpointTarget = {
          name: 'tower',
          baseUrl: server.url,
          backend: 'llama.cpp',
          format,
          headers: {},
          dispatcher,
        };
        try {
          const answers: TurnAnswer[] = [];
          let messages: readonly Message[] = [user('Play the script.')];
          for (const _ of STEPS) {
            const request = { format, isStreaming, messages, tools: TOOLS, maxTokens: 500 };
            const answer = await askTurn(target, turnRequest(request), {
              endpoint: 'tower',
              signal: new AbortController().signal,
              timeoutMs: 60_000,
              idleTimeoutMs: 60_000,
            });
            answers.push(answer);
            const calls = answer.blocks.filter((block) => block.type === 'tool_call');
            const results = calls.map(({ id, name }) => ({
              callId: id,
              name,
              text: 'ok '.repeat(200),
              isError: false,
            }));
            messages = [...messages, assistant(answer.blocks), { role: 'results', results }];
          }
          const called = answers.flatMap(({ blocks }) =>
            blocks.flatMap((block) =>
              block.type === 'tool_call' ? [{ tool: block.name, input: block.input }] : [],
            ),
          );
          assert.deepEqual(called, STEPS.slice(0, -1));
          assert.deepEqual(answers.at(-1)?.blocks, [{ type: 'text', text: STEPS.at(-1)?.text }]);
          assert.deepEqual(
            answers.map(({ stopReason }) => stopReason),
            ['tool_use', 'tool_use', 'tool_use', 'end_turn'],
          );
          // What was in an earlier prompt is not processed again.
          const prompts = answers.map(
            ({ usage }) => (usage.input ?? NaN) + (usage.cacheRead ?? NaN),
          );
          answers.forEach(({ usage, modelServed }, turn) => {
            assert.equal(modelServed, 'scripted');
            assert.ok((usage.output ?? 0) > 0);
            if (turn === 0) return;
            const before = prompts[turn - 1] ?? NaN;
            assert.ok((usage.cacheRead ?? NaN) >= before - 8, `${usage.cacheRead} of ${before}`);
          });
        } finally {
          await dispatcher.destroy();
          await server.stop();
        }
      });
    }
  }
});
