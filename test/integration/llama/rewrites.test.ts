import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'mocha';
import { foldSystem } from '../../../src/bridge/gateway/foldSystem.ts';
import { moveToolResultText } from '../../../src/bridge/gateway/moveToolResultText.ts';
import { type ClaudeOutcome, runClaude, toolCallsIn } from '../rehearsal/runClaude.ts';
import { type GatewaySession, postJson, withGatewaySession } from './gatewaySession.ts';
import { itWithLlamaAndClaude } from './withLlama.ts';

// Relative paths: the script is compiled before the session's folder is known.
const STEPS = [
  { tool: 'Write', input: { file_path: 'hello.txt', content: 'hello\n' } },
  { tool: 'Bash', input: { command: 'cat hello.txt >> log.txt', description: 'Copy the file' } },
  { text: 'Both steps are done.' },
];
const HOOK = JSON.stringify({
  hooks: {
    PostToolUse: [
      {
        matcher: 'Write|Bash',
        hooks: [
          {
            type: 'command',
            command: `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"ADDED-BY-HOOK"}}'`,
          },
        ],
      },
    ],
  },
});

function claude(
  { folder }: GatewaySession,
  baseUrl: string,
  args: string[] = [],
): Promise<ClaudeOutcome> {
  return runClaude({ cwd: folder, home: folder, baseUrl, prompt: 'Play the script.', args });
}

async function assertPlayed({ folder }: GatewaySession, outcome: ClaudeOutcome): Promise<void> {
  assert.equal(outcome.result.result, 'Both steps are done.');
  assert.deepEqual(toolCallsIn(outcome.messages), ['Write', 'Bash']);
  assert.equal(await readFile(join(folder, 'log.txt'), 'utf8'), 'hello\n');
}

/** A request after the first step, with `after` behind the tool's result. */
function secondTurn(
  result: unknown,
  ...after: unknown[]
): { messages: unknown[]; [field: string]: unknown } {
  const schema = (...names: string[]): object => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  });
  return {
    model: 'scripted',
    max_tokens: 64,
    tools: [
      { name: 'Write', description: 'w', input_schema: schema('file_path', 'content') },
      { name: 'Bash', description: 'b', input_schema: schema('command', 'description') },
    ],
    messages: [
      { role: 'user', content: 'Play the script.' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'Write', input: STEPS[0]?.input }],
      },
      { role: 'user', content: result },
      ...after,
    ],
  };
}

const RESULT = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' };
const NOTE = { type: 'text', text: 'A note of a hook.' };

async function nextTool(url: string, body: unknown): Promise<string> {
  const answer = await postJson(`${url}/v1/messages`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.content.find((block: { type: string }) => block.type === 'tool_use')?.name;
}

describe('gateway rewrites on a real llama.cpp server', function () {
  this.timeout(120_000);

  itWithLlamaAndClaude(
    'a strict template refuses Claude Code, and takes it through the gateway',
    (binary) =>
      withGatewaySession({ binary, steps: STEPS, template: 'strict' }, async (session) => {
        const direct = await claude(session, session.server.url);
        assert.equal(direct.result.is_error, true);
        assert.match(direct.result.result, /System message must be at the beginning/);

        await assertPlayed(session, await claude(session, session.gateway.url));
        assert.ok(session.records.every((record) => (record.rewrites?.folded ?? 0) > 0));
      }),
  );

  itWithLlamaAndClaude(
    'notes of a hook behind each result do no harm, with either template',
    async (binary) => {
      for (const template of ['strict', 'adjacent'] as const) {
        await withGatewaySession({ binary, steps: STEPS, template }, async (session) => {
          const outcome = await claude(session, session.gateway.url, ['--settings', HOOK]);
          await assertPlayed(session, outcome);
          const last = session.records.at(-1)?.rewrites;
          assert.ok(
            (last?.folded ?? 0) >= 3,
            'The first system message and a note for each result.',
          );
          assert.ok((last?.moved ?? 0) >= 2, 'A note for each result.');
        });
      }
    },
  );

  itWithLlamaAndClaude(
    'an adjacent template loses a result with text beside it, and the gateway saves it',
    (binary) =>
      withGatewaySession(
        { binary, steps: STEPS, template: 'adjacent' },
        async ({ server, gateway }) => {
          for (const blocks of [
            [RESULT, NOTE],
            [NOTE, RESULT],
          ]) {
            assert.equal(
              await nextTool(server.url, secondTurn(blocks)),
              'Write',
              'The step again.',
            );
            assert.equal(await nextTool(gateway.url, secondTurn(blocks)), 'Bash');
          }
        },
      ),
  );

  itWithLlamaAndClaude(
    'the fold needs the move: alone it makes an adjacent template lose the result',
    (binary) =>
      withGatewaySession({ binary, steps: STEPS, template: 'adjacent' }, async ({ server }) => {
        const body = secondTurn([RESULT], { role: 'system', content: 'A note of a hook.' });
        const folded = foldSystem(body.messages).messages;
        assert.equal(await nextTool(server.url, { ...body, messages: folded }), 'Write');
        const { messages } = moveToolResultText(folded);
        assert.equal(await nextTool(server.url, { ...body, messages }), 'Bash');
      }),
  );

  itWithLlamaAndClaude(
    "the rewrites keep the server's prompt cache from one turn to the next",
    (binary) =>
      withGatewaySession({ binary, steps: STEPS, template: 'strict' }, async (session) => {
        await assertPlayed(
          session,
          await claude(session, session.gateway.url, ['--settings', HOOK]),
        );
        const [first, ...later] = session.records.map((record) => record.usage);
        const firstTokens = first?.input ?? 0;
        assert.ok(firstTokens > 3000, 'The first prompt is long, and is processed.');
        assert.equal(later.length, 2);
        for (const { input, cacheRead } of later) {
          assert.ok((input ?? Infinity) < 400, `${input ?? '?'} tokens were processed anew.`);
          assert.ok((cacheRead ?? 0) >= firstTokens);
        }
      }),
  );
});
