import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isJsonObject, type JsonObject } from '../../../../src/bridge/gateway/jsonObject.ts';
import { PrefixMeter } from '../../../../src/bridge/gateway/prefixMeter.ts';
import { rewriteRequest } from '../../../../src/bridge/gateway/rewriteRequest.ts';
import { anyTurns } from './conversations.ts';

const FIXTURES = join(process.cwd(), 'test/fixtures/gateway');

/** The list without its closing bracket, which is where it grows. */
function serialised(messages: unknown): string {
  const { body } = rewriteRequest({ messages });
  return JSON.stringify(body['messages']).slice(0, -1);
}

/** As Claude Code does: the newest block carries a cache marker, and a marked system entry is an array, later a string. */
function asSent(messages: readonly { role: string; content: unknown }[]): unknown[] {
  return messages.map((message, at) => {
    if (at < messages.length - 1 || !Array.isArray(message.content)) return message;
    const blocks = message.content as JsonObject[];
    const mark = { cache_control: { type: 'ephemeral' } };
    return {
      ...message,
      content: blocks.map((block, i) => (i === blocks.length - 1 ? { ...block, ...mark } : block)),
    };
  });
}

describe('rewriteRequest', () => {
  it('is append-only over generated conversations', () => {
    fc.assert(
      fc.property(anyTurns, (turns) => {
        let earlier = '[';
        for (let count = 1; count <= turns.length; count += 1) {
          const now = serialised(asSent(turns.slice(0, count).flat()));
          assert.ok(now.startsWith(earlier), `${now}\ndoes not begin with\n${earlier}`);
          earlier = now;
        }
      }),
      { numRuns: 100 },
    );
  });

  it('is idempotent, and leaves what servers take', () => {
    fc.assert(
      fc.property(anyTurns, (turns) => {
        const { body } = rewriteRequest({ model: 'm', messages: turns.flat() });
        const again = rewriteRequest(body);
        assert.deepEqual(again.body, body);
        assert.deepEqual(again.rewrites, { folded: 0, moved: 0, repaired: 0 });
        assertValid(body['messages'] as readonly unknown[]);
      }),
      { numRuns: 100 },
    );
  });

  // Each list: which requests of the recording follow each other in one conversation.
  const recorded: [string, number[]][] = [
    ['sdk-two-turns', [0, 1]],
    ['cli-hooks-2.1.332', [0, 1]],
    ['cli-hooks-2.1.197', [0, 1]],
    ['subagent', [0, 1, 3]],
    ['error-503-then-ok', [0, 1]],
    ['compaction', [0, 1]],
    ['cli-mcp-2.1.332', [0, 1]],
    ['cli-mcp-2.1.197', [0, 1]],
  ];
  for (const [name, requests] of recorded) {
    it(`keeps the whole prefix in the recorded conversation ${name}`, () => {
      const bodies = conversation(name);
      const meter = new PrefixMeter();
      let earlier = '[';
      requests.forEach((at, position) => {
        const body = bodies[at];
        assert.ok(body);
        const now = serialised(body['messages']);
        assert.ok(now.startsWith(earlier), `request ${at}`);
        earlier = now;
        const prefix = meter.measure(rewriteRequest(body).body);
        if (position === 0) assert.equal(prefix, null);
        else assert.equal(prefix?.commonPrefixBytes, prefix?.prevBytes);
        assert.ok((prefix?.prevBytes ?? 1) > 0);
      });
    });
  }

  it('makes recorded bodies fit for the strictest templates', () => {
    for (const [name] of recorded) {
      for (const body of conversation(name)) {
        assertValid(rewriteRequest(body).body['messages'] as readonly unknown[]);
      }
    }
  });

  it('leaves everything but the messages as it is, and bodies of unknown shape whole', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (rest, messages) => {
        const body: JsonObject = { ...rest, messages };
        const { messages: before, ...untouched } = rewriteRequest(body).body;
        const { messages: asked, ...given } = body;
        assert.deepEqual(untouched, given);
        if (!Array.isArray(asked)) assert.deepEqual(before, asked);
      }),
    );
  });

  it('never throws on hostile messages', () => {
    const hostile = fc.anything({ maxDepth: 1, maxKeys: 3 });
    const entry = fc.oneof(
      hostile,
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
        content: fc.oneof(
          hostile,
          fc.array(
            fc.oneof(
              hostile,
              fc.record({
                type: fc.constantFrom('text', 'tool_use', 'tool_result'),
                id: hostile,
                tool_use_id: hostile,
                text: hostile,
                input: hostile,
                content: hostile,
              }),
            ),
          ),
        ),
      }),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (messages) => {
        rewriteRequest({ messages: JSON.parse(JSON.stringify(messages)) as unknown });
      }),
    );
  });
});

function conversation(name: string): JsonObject[] {
  return JSON.parse(
    readFileSync(join(FIXTURES, `claude-code-${name}.json`), 'utf8'),
  ) as JsonObject[];
}

/** No system entry; each call answered once before the next assistant message; no text beside results; arguments are objects. */
function assertValid(messages: readonly unknown[]): void {
  const open = new Set<unknown>();
  let isUsersTurn = false;
  for (const message of messages) {
    assert.ok(isJsonObject(message));
    assert.notEqual(message['role'], 'system');
    const blocks = Array.isArray(message['content']) ? (message['content'] as JsonObject[]) : [];
    if (message['role'] === 'assistant') {
      if (isUsersTurn) assert.equal(open.size, 0, 'a call without a result');
      isUsersTurn = false;
      for (const block of blocks.filter(({ type }) => type === 'tool_use')) {
        assert.ok(isJsonObject(block['input']));
        open.add(block['id']);
      }
    } else {
      isUsersTurn = true;
      const results = blocks.filter(({ type }) => type === 'tool_result');
      for (const result of results)
        assert.ok(open.delete(result['tool_use_id']), 'a result without a call');
      if (results.length > 0)
        assert.ok(!blocks.some(({ type }) => type === 'text'), 'text beside results');
    }
  }
  assert.equal(open.size, 0, 'a call without a result at the end');
}
