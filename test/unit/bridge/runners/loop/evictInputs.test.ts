import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { evictInputs } from '../../../../../src/bridge/runners/loop/evictInputs.ts';
import type { Message, ToolCallBlock } from '../../../../../src/bridge/runners/loop/history.ts';
import { messageSize } from '../../../../../src/bridge/runners/loop/messageSize.ts';
import { isRoomNote } from '../../../../../src/bridge/runners/loop/roomNote.ts';

const ALL = { characters: Number.MAX_SAFE_INTEGER, keepNewest: 0, least: 0 };

const write = (length: number): ToolCallBlock => {
  const input = { path: 'a.ts', content: 'x'.repeat(length) };
  return { type: 'tool_call', id: '1', name: 'write_file', input, rawInput: JSON.stringify(input) };
};
const answer = (...blocks: ToolCallBlock[]): Message => ({
  role: 'assistant',
  endpoint: 'e',
  model: 'm',
  blocks: [{ type: 'text', text: 'y'.repeat(900) }, ...blocks],
});
const history = fc.array(
  fc
    .array(fc.integer({ min: 0, max: 3000 }), { maxLength: 3 })
    .map((lengths) => answer(...lengths.map(write))),
  { maxLength: 8 },
);
const size = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + messageSize(message), 0);

describe('evictInputs', () => {
  it('frees what it says, keeps the newest and every text, and finds nothing a second time', () => {
    fc.assert(
      fc.property(history, fc.nat(9000), fc.nat(3), (messages, characters, keepNewest) => {
        const eviction = evictInputs(messages, { ...ALL, characters, keepNewest });
        assert.equal(size(messages) - size(eviction.messages), eviction.freedCharacters);
        const kept = Math.max(0, messages.length - keepNewest);
        assert.deepEqual(eviction.messages.slice(kept), messages.slice(kept));
        const everything = evictInputs(messages, ALL);
        assert.equal(evictInputs(everything.messages, ALL).places.length, 0);
      }),
    );
  });

  it('keeps short arguments, and the JSON of what is sent agrees with the arguments', () => {
    const [message] = evictInputs([answer(write(5000))], ALL).messages;
    const call = message?.role === 'assistant' ? message.blocks[1] : undefined;
    assert.ok(call?.type === 'tool_call' && call.input !== null);
    assert.equal(call.input['path'], 'a.ts');
    assert.ok(isRoomNote(String(call.input['content'])));
    assert.deepEqual(JSON.parse(call.rawInput), call.input);
  });

  it('a call without readable arguments stays', () => {
    const cut: ToolCallBlock = { ...write(5000), input: null };
    assert.equal(evictInputs([answer(cut)], ALL).places.length, 0);
  });
});
