import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { evictResults } from '../../../../../src/bridge/runners/loop/evictResults.ts';
import type { Message } from '../../../../../src/bridge/runners/loop/history.ts';
import { messageSize } from '../../../../../src/bridge/runners/loop/messageSize.ts';

const ALL = { characters: Number.MAX_SAFE_INTEGER, keepNewest: 0, least: 0 };

const result = fc.record({
  callId: fc.string({ minLength: 1, maxLength: 4 }),
  name: fc.constant('read_file'),
  text: fc.integer({ min: 0, max: 3000 }).map((length) => 'x'.repeat(length)),
  isError: fc.boolean(),
});
const history = fc.array(
  fc.oneof(
    fc.record({ role: fc.constant('user' as const), text: fc.string() }),
    fc.record({
      role: fc.constant('results' as const),
      results: fc.array(result, { minLength: 1, maxLength: 3 }),
    }),
  ),
  { maxLength: 12 },
);
const size = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + messageSize(message), 0);
const rounds = (messages: readonly Message[]): Message[] =>
  messages.filter(({ role }) => role === 'results');

describe('evictResults', () => {
  it('frees what it says, and more than was asked for by less than one result', () => {
    fc.assert(
      fc.property(history, fc.nat(20_000), (messages, characters) => {
        const eviction = evictResults(messages, { ...ALL, characters });
        assert.equal(size(messages) - size(eviction.messages), eviction.freedCharacters);
        assert.ok(eviction.freedCharacters < characters + 3000);
      }),
    );
  });

  it('keeps the newest, what people and the model said, and short results', () => {
    fc.assert(
      fc.property(history, fc.nat(5), (messages, keepNewest) => {
        const after = evictResults(messages, { ...ALL, keepNewest }).messages;
        assert.equal(after.length, messages.length);
        const kept = rounds(messages).length - keepNewest;
        assert.deepEqual(
          rounds(after).slice(Math.max(0, kept)),
          rounds(messages).slice(Math.max(0, kept)),
        );
        for (const [at, message] of messages.entries()) {
          if (message.role !== 'results') assert.equal(after[at], message);
          else
            for (const [index, { text }] of message.results.entries()) {
              const now = after[at];
              assert.ok(now?.role === 'results');
              if (text.length <= 400) assert.equal(now.results[index]?.text, text);
            }
        }
      }),
    );
  });

  it('takes the oldest first', () => {
    fc.assert(
      fc.property(history, fc.nat(9000), (messages, characters) => {
        const { places } = evictResults(messages, { ...ALL, characters });
        const everything = evictResults(messages, ALL).places;
        assert.deepEqual(places, everything.slice(0, places.length));
      }),
    );
  });

  it('finds nothing to do a second time', () => {
    fc.assert(
      fc.property(history, (messages) => {
        const once = evictResults(messages, ALL).messages;
        assert.equal(evictResults(once, ALL).places.length, 0);
      }),
    );
  });

  it('touches nothing when too little would come free', () => {
    const messages: Message[] = [
      {
        role: 'results',
        results: [{ callId: '1', name: 'x', text: 'y'.repeat(1000), isError: false }],
      },
    ];
    assert.equal(evictResults(messages, { ...ALL, least: 2000 }).messages, messages);
    assert.equal(evictResults(messages, { ...ALL, least: 500 }).places.length, 1);
  });
});
