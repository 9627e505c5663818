import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { foldSystem } from '../../../../src/bridge/gateway/foldSystem.ts';
import { anyEntries } from './conversations.ts';

const text = (value: string) => ({ type: 'text', text: value });
const system = (content: unknown) => ({ role: 'system', content });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (value: string) => ({ role: 'assistant', content: [text(value)] });
const S = (value: string) => text(`<system>\n${value}\n</system>`);

describe('foldSystem', () => {
  const table: { name: string; before: unknown[]; after: unknown[]; folded: number }[] = [
    {
      name: 'after a user message: appended to it, its string becoming a block',
      before: [{ role: 'user', content: 'hi' }, system('reminder'), assistant('hello')],
      after: [user(text('hi'), S('reminder')), assistant('hello')],
      folded: 1,
    },
    {
      name: 'after an assistant message: prepended to the user message that follows, never to the one before',
      before: [
        { role: 'user', content: 'hi' },
        assistant('hello'),
        system('r'),
        user(text('next')),
      ],
      after: [{ role: 'user', content: 'hi' }, assistant('hello'), user(S('r'), text('next'))],
      folded: 1,
    },
    {
      name: 'at the beginning: prepended, each as its own block',
      before: [system('a'), system([text('b1'), text('b2')]), user(text('hi'))],
      after: [user(S('a'), S('b1\nb2'), text('hi'))],
      folded: 2,
    },
    {
      name: 'between two assistant messages: a user message of its own',
      before: [assistant('a'), system('r'), assistant('b')],
      after: [assistant('a'), user(S('r')), assistant('b')],
      folded: 1,
    },
    {
      name: 'with no user message at all',
      before: [system('r')],
      after: [user(S('r'))],
      folded: 1,
    },
    {
      name: 'empty text is dropped and not counted',
      before: [
        user(text('hi')),
        system(' \n'),
        system([]),
        system(null),
        system([{ type: 'image' }]),
      ],
      after: [user(text('hi'))],
      folded: 0,
    },
    {
      name: 'several after tool results',
      before: [user({ type: 'tool_result', tool_use_id: 'a' }), system('1'), system('2')],
      after: [user({ type: 'tool_result', tool_use_id: 'a' }, S('1'), S('2'))],
      folded: 2,
    },
    {
      name: 'entries of unknown shape stay where they are',
      before: [null, 7, 'x', { role: 'user', content: 7 }, system('r'), { role: 'tool' }],
      after: [null, 7, 'x', { role: 'user', content: 7 }, user(S('r')), { role: 'tool' }],
      folded: 1,
    },
  ];
  for (const { name, before, after, folded } of table) {
    it(name, () => assert.deepEqual(foldSystem(before), { messages: after, folded }));
  }

  it('gives the same for a string and for blocks', () => {
    fc.assert(
      fc.property(fc.string(), anyEntries, (said, entries) => {
        const asString = foldSystem([...entries, system(said), ...entries]);
        assert.deepEqual(foldSystem([...entries, system([text(said)]), ...entries]), asString);
      }),
    );
  });

  it('leaves no system entry, loses no text and does not edit its input', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const copy = structuredClone(entries);
        const { messages } = foldSystem(entries);
        assert.deepEqual(entries, copy);
        assert.ok(!JSON.stringify(messages).includes('"role":"system"'));
        for (const word of JSON.stringify(entries).match(/w\d+/g) ?? []) {
          assert.ok(JSON.stringify(messages).includes(word));
        }
      }),
    );
  });

  it('only ever adds at the end, wherever a conversation is cut', () => {
    // As (role, block) pairs in order: what a template renders.
    const flat = (entries: readonly unknown[]) =>
      (foldSystem(entries).messages as { role: string; content: unknown }[]).flatMap((message) =>
        (typeof message.content === 'string'
          ? [text(message.content)]
          : (message.content as unknown[])
        ).map((block) => JSON.stringify([message.role, block])),
      );
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const whole = flat(entries);
        for (let cut = 0; cut <= entries.length; cut += 1) {
          const earlier = flat(entries.slice(0, cut));
          assert.deepEqual(whole.slice(0, earlier.length), earlier);
        }
      }),
    );
  });
});
