import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { repairHistory } from '../../../../src/bridge/gateway/repairHistory.ts';

const text = (value: string) => ({ type: 'text', text: value });
const call = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'T', input });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const failed = (id: string, content = 'The call was interrupted: it has no result.') => ({
  type: 'tool_result',
  tool_use_id: id,
  is_error: true,
  content,
});
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const ORPHAN = text('(A tool result whose call is not in this conversation was removed.)');

describe('repairHistory', () => {
  const table: { name: string; before: unknown[]; after: unknown[]; repaired: number }[] = [
    {
      name: 'an answered call stays',
      before: [assistant(call('a'), call('b')), user(result('b')), user(result('a'), text('x'))],
      after: [assistant(call('a'), call('b')), user(result('b')), user(result('a'), text('x'))],
      repaired: 0,
    },
    {
      name: 'an open call gets an error result at the head of the next user message',
      before: [assistant(call('a'), call('b')), user(result('b'), text('x')), assistant(text('y'))],
      after: [
        assistant(call('a'), call('b')),
        user(failed('a'), result('b'), text('x')),
        assistant(text('y')),
      ],
      repaired: 1,
    },
    {
      name: 'also when that message is a string',
      before: [assistant(call('a')), { role: 'user', content: 'go on' }],
      after: [assistant(call('a')), user(failed('a'), text('go on'))],
      repaired: 1,
    },
    {
      name: 'an open call at the very end gets a user message',
      before: [user(text('x')), assistant(call('a'))],
      after: [user(text('x')), assistant(call('a')), user(failed('a'))],
      repaired: 1,
    },
    {
      name: 'calls of assistant messages in a row are answered together',
      before: [assistant(call('a')), assistant(call('b')), user(result('a'), result('b'))],
      after: [assistant(call('a')), assistant(call('b')), user(result('a'), result('b'))],
      repaired: 0,
    },
    {
      name: 'a result that comes a turn late answers nothing',
      before: [assistant(call('a')), user(text('x')), assistant(text('y')), user(result('a'))],
      after: [
        assistant(call('a')),
        user(failed('a'), text('x')),
        assistant(text('y')),
        user(ORPHAN),
      ],
      repaired: 2,
    },
    {
      name: 'orphans and second results go, the rest of the message stays',
      before: [
        user(result('z'), text('x')),
        assistant(call('a')),
        user(result('a'), result('a'), text('y')),
      ],
      after: [user(text('x')), assistant(call('a')), user(result('a'), text('y'))],
      repaired: 2,
    },
    {
      name: 'a call without an id cannot be answered and is left',
      before: [assistant({ type: 'tool_use', input: {} }), user(text('x'))],
      after: [assistant({ type: 'tool_use', input: {} }), user(text('x'))],
      repaired: 0,
    },
    {
      name: 'entries of unknown shape stay',
      before: [null, assistant(call('a')), 5, user(result('a')), { role: 'tool' }],
      after: [null, assistant(call('a')), 5, user(result('a')), { role: 'tool' }],
      repaired: 0,
    },
  ];
  for (const { name, before, after, repaired } of table) {
    it(name, () => assert.deepEqual(repairHistory(before), { messages: after, repaired }));
  }

  const inputs: { input: unknown; becomes: unknown }[] = [
    { input: '{"a": 1}', becomes: { a: 1 } },
    { input: '{"a": 1', becomes: { a: 1 } },
    { input: "{a: 'b',}", becomes: { a: 'b' } },
    { input: '', becomes: {} },
    { input: null, becomes: {} },
    { input: 'no json at all', becomes: {} },
    { input: '[1, 2]', becomes: {} },
    { input: [1, 2], becomes: {} },
    { input: 7, becomes: {} },
    { input: '['.repeat(100_000), becomes: {} },
  ];
  for (const { input, becomes } of inputs) {
    const shown = JSON.stringify(input).slice(0, 30);
    it(`arguments ${shown} become ${JSON.stringify(becomes)}, the result is kept`, () => {
      const { messages } = repairHistory([assistant(call('a', input)), user(result('a'))]);
      assert.deepEqual(messages, [assistant(call('a', becomes)), user(result('a'))]);
    });
  }

  it('tells the model that its arguments were not JSON when the call has no result', () => {
    const { messages, repaired } = repairHistory([
      assistant(call('a', 'no json')),
      user(text('x')),
    ]);
    const said = 'The arguments were not valid JSON: "no json"';
    assert.deepEqual(messages, [assistant(call('a')), user(failed('a', said), text('x'))]);
    assert.equal(repaired, 2);
  });
});
