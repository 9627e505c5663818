import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../../../../src/base/bridgeError.ts';
import type { Message } from '../../../../../../src/bridge/runners/loop/history.ts';
import { checkHistory } from '../../../../../../src/bridge/runners/loop/wire/checkHistory.ts';
import { wireNames } from '../../../../../../src/bridge/runners/loop/wire/wireNames.ts';
import { assistant, call, results, text, user } from './histories.ts';

/** Messages as short lines. */
function lines(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    if (message.role === 'user') return `user: ${message.text}`;
    if (message.role === 'assistant')
      return `assistant: ${message.blocks.map((block) => (block.type === 'tool_call' ? block.id : '-')).join(' ')}`;
    return `results: ${message.results
      .map(({ callId, text: said, isError }) => `${callId}=${isError ? 'error ' : ''}${said}`)
      .join(' | ')}`;
  });
}

const LOST = 'error The call was interrupted: it has no result.';
const ASK = user('Do it.');

describe('checkHistory', () => {
  const repaired: { name: string; messages: readonly Message[]; becomes: string[] }[] = [
    {
      name: 'nothing to repair',
      messages: [ASK, assistant([call('a')]), results('a'), assistant([text('x')]), user('More.')],
      becomes: ['user: Do it.', 'assistant: a', 'results: a=of a', 'assistant: -', 'user: More.'],
    },
    {
      name: 'a call without a result among others',
      messages: [ASK, assistant([call('a'), call('b')]), results('b')],
      becomes: ['user: Do it.', 'assistant: a b', `results: a=${LOST} | b=of b`],
    },
    {
      name: 'calls without any result, before a text',
      messages: [ASK, assistant([call('a')]), user('Go on.')],
      becomes: ['user: Do it.', 'assistant: a', `results: a=${LOST}`, 'user: Go on.'],
    },
    {
      name: 'calls without any result, before another answer',
      messages: [ASK, assistant([call('a')]), assistant([call('b')]), results('b')],
      becomes: [
        'user: Do it.',
        'assistant: a',
        `results: a=${LOST}`,
        'assistant: b',
        'results: b=of b',
      ],
    },
    {
      name: 'calls without any result, at the end',
      messages: [ASK, assistant([call('a')])],
      becomes: ['user: Do it.', 'assistant: a', `results: a=${LOST}`],
    },
    {
      name: 'results of no call and results given twice',
      messages: [ASK, assistant([call('a')]), results('x', 'a', 'a')],
      becomes: ['user: Do it.', 'assistant: a', 'results: a=of a'],
    },
    {
      name: 'results in another order',
      messages: [ASK, assistant([call('a'), call('b')]), results('b', 'a')],
      becomes: ['user: Do it.', 'assistant: a b', 'results: a=of a | b=of b'],
    },
    {
      name: 'two calls with one id',
      messages: [
        ASK,
        assistant([call('a'), call('a')]),
        {
          role: 'results',
          results: ['one', 'two'].map((said) => ({
            callId: 'a',
            name: 'x',
            text: said,
            isError: false,
          })),
        },
      ],
      becomes: ['user: Do it.', 'assistant: a a', 'results: a=one | a=two'],
    },
    {
      name: 'an empty result',
      messages: [
        ASK,
        assistant([call('a')]),
        { role: 'results', results: [{ callId: 'a', name: 'x', text: ' \n', isError: false }] },
      ],
      becomes: ['user: Do it.', 'assistant: a', 'results: a=(no output)'],
    },
    {
      name: 'texts side by side, and an empty one',
      messages: [ASK, user(''), user('At once.')],
      becomes: ['user: Do it.\n\nAt once.'],
    },
  ];
  for (const { name, messages, becomes } of repaired) {
    it(name, () => assert.deepEqual(lines(checkHistory(messages)), becomes));
  }

  it('leaves a history alone that it made, and the one it was given', () => {
    for (const { messages } of repaired) {
      const before = JSON.stringify(messages);
      const checked = checkHistory(messages);
      assert.deepEqual(checkHistory(checked), checked);
      assert.equal(JSON.stringify(messages), before);
    }
  });

  const faults: { name: string; messages: readonly Message[] }[] = [
    { name: 'nothing', messages: [] },
    { name: 'an answer at the beginning', messages: [assistant([text('a')]), user('b')] },
    { name: 'an answer at the end', messages: [ASK, assistant([text('a')])] },
    {
      name: 'two answers',
      messages: [ASK, assistant([text('a')]), assistant([text('b')]), user('c')],
    },
    { name: 'results at the beginning', messages: [results('a')] },
    { name: 'results twice', messages: [ASK, assistant([call('a')]), results('a'), results('a')] },
    { name: 'results without a call', messages: [ASK, assistant([text('a')]), results('a')] },
    { name: 'an empty task', messages: [user(' ')] },
    { name: 'an empty text after an answer', messages: [ASK, assistant([text('a')]), user('')] },
  ];
  for (const { name, messages } of faults) {
    it(`is refused: ${name}`, () => {
      assert.throws(
        () => checkHistory(messages),
        (error) => BridgeError.is(error, 'internal'),
      );
    });
  }
});

describe('wireNames', () => {
  const ids = (...given: string[]): Message[] => [
    ASK,
    ...given.flatMap((id) => [assistant([call(id)]), results(id)]),
  ];
  const table: [name: string, given: string[], anthropic: string[], openai: string[]][] = [
    ['ids that are fine', ['toolu_01', 'b-2'], ['toolu_01', 'b-2'], ['toolu_01', 'b-2']],
    ['the same id in each answer', ['c', 'c', 'c'], ['c', 'c_2', 'c_3'], ['c', 'c_2', 'c_3']],
    [
      'an id that is taken by a made one',
      ['c', 'c_2', 'c'],
      ['c', 'c_2', 'c_3'],
      ['c', 'c_2', 'c_3'],
    ],
    ['no id', ['', ''], ['call', 'call_2'], ['call', 'call_2']],
    [
      'characters that Anthropic refuses',
      ['functions.a:0', 'functions:a.0'],
      ['functions_a_0', 'functions_a_0_2'],
      ['functions.a:0', 'functions:a.0'],
    ],
  ];
  for (const [name, given, anthropic, openai] of table) {
    for (const [format, expected] of [
      ['anthropic', anthropic],
      ['openai', openai],
    ] as const) {
      it(`${name} (${format})`, () => {
        const named = wireNames(ids(...given), format);
        const called = named.flatMap((message) =>
          message.role === 'assistant'
            ? message.blocks.flatMap((block) => (block.type === 'tool_call' ? [block.id] : []))
            : [],
        );
        const answered = named.flatMap((message) =>
          message.role === 'results' ? message.results.map(({ callId }) => callId) : [],
        );
        assert.deepEqual(called, expected);
        assert.deepEqual(answered, expected);
      });
    }
  }
});
