import fc from 'fast-check';

/** Generated conversations: every piece of text is a word that occurs once, so that tests can look for it. */

interface Message {
  role: string;
  content: unknown;
}

const words = (() => {
  let next = 0;
  return fc.constant(null).map(() => `w${(next += 1)}`);
})();

const textBlock = words.map((text) => ({ type: 'text', text }));
const systemEntry: fc.Arbitrary<Message> = fc
  .oneof(words, fc.array(textBlock, { maxLength: 2 }))
  .map((content) => ({ role: 'system', content }));
const plainUser: fc.Arbitrary<Message> = fc
  .oneof(words, fc.array(textBlock, { minLength: 1, maxLength: 3 }))
  .map((content) => ({ role: 'user', content }));
const plainAssistant: fc.Arbitrary<Message> = fc
  .oneof(words, fc.array(textBlock, { minLength: 1, maxLength: 2 }))
  .map((content) => ({ role: 'assistant', content }));

/** System, user and assistant entries in any order, none with tools. */
export const anyEntries = fc.array(fc.oneof(systemEntry, plainUser, plainAssistant), {
  maxLength: 12,
});

const input = fc.oneof(
  { weight: 4, arbitrary: words.map((value) => ({ value })) },
  fc.constantFrom('', '{"a": 1', 'not json', '[1]', '{a: "b",}', null, 7),
);

function isEmpty(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0;
}

/** One assistant message with calls, and the user side that follows: results whole, missing, twice or of nobody; text, systems. */
const toolTurn = fc
  .tuple(
    fc.array(fc.tuple(words, input), { minLength: 1, maxLength: 3 }),
    fc.array(fc.constantFrom('once', 'never', 'twice'), { minLength: 3, maxLength: 3 }),
    fc.option(words, { freq: 5 }),
    fc.array(systemEntry, { maxLength: 2 }),
    fc.array(systemEntry, { maxLength: 2 }),
    fc.array(textBlock, { maxLength: 2 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([calls, fates, orphan, before, after, beside, isSplit, isString]): Message[] => {
    const results = [
      ...calls.flatMap(([id], at) => {
        const content = isString ? `r-${id}` : [{ type: 'text', text: `r-${id}` }];
        const result = { type: 'tool_result', tool_use_id: id, content };
        return fates[at] === 'never' ? [] : fates[at] === 'twice' ? [result, result] : [result];
      }),
      ...(orphan === null ? [] : [{ type: 'tool_result', tool_use_id: `gone-${orphan}` }]),
    ];
    const halves = isSplit
      ? [results.slice(0, 1), [...results.slice(1), ...beside]]
      : [[...results, ...beside]];
    const users = halves
      .filter((half) => half.length > 0)
      .map((content) => ({ role: 'user', content }));
    // A client asks when the assistant's turn has come: nobody sends a request that ends with open calls.
    if (users.length === 0 && [...before, ...after].every(({ content }) => isEmpty(content)))
      users.push({ role: 'user', content: [{ type: 'text', text: `go on, ${calls[0]?.[0]}` }] });
    return [
      {
        role: 'assistant',
        content: calls.map(([id, value]) => ({ type: 'tool_use', id, name: 'Tool', input: value })),
      },
      ...before,
      ...users,
      ...after,
    ];
  });
const talkTurn = fc
  .tuple(plainAssistant, fc.array(fc.oneof(systemEntry, plainUser), { maxLength: 3 }))
  .map(([assistant, rest]) => [assistant, ...rest]);

/**
 * A conversation as its turns: the first begins on the user's side, each later one with the assistant's message. A request is
 * the turns up to some point, since a client asks when the assistant's turn has come.
 */
export const anyTurns: fc.Arbitrary<Message[][]> = fc
  .tuple(
    fc.array(fc.oneof(systemEntry, plainUser), { minLength: 1, maxLength: 3 }),
    fc.array(fc.oneof({ weight: 3, arbitrary: toolTurn }, talkTurn), {
      minLength: 1,
      maxLength: 5,
    }),
  )
  .map(([first, turns]) => [first, ...turns]);
