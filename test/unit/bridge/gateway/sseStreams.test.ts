import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { MessageReading } from '../../../../src/bridge/gateway/messageReading.ts';
import { SseErrorTranslator } from '../../../../src/bridge/gateway/sseErrorTranslator.ts';
import { SseTap } from '../../../../src/bridge/gateway/sseTap.ts';

const RECORDED = readFileSync('test/fixtures/gateway/llama-server-stream.sse', 'utf8');
const OVERFLOW = 'event: error\ndata: {"type":"error","error":{"message":"too long 长"}}\n\n';
const event = (name: string, data: object) =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`;
const START = event('message_start', {
  message: { model: 'モデル', usage: { input_tokens: 5, output_tokens: 0 } },
});
const DELTA = event('content_block_delta', { delta: { text: 'é😀' } });
const END =
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } }) +
  event('message_stop', {});

function read(chunks: readonly Uint8Array[]): unknown {
  const reading = new MessageReading();
  const tap = new SseTap(reading);
  for (const chunk of chunks) tap.push(chunk);
  tap.end();
  const { model, stopReason, error, isComplete, usage } = reading;
  return { model, stopReason, error, isComplete, usage };
}

function translate(chunks: readonly Uint8Array[]): string {
  const translator = new SseErrorTranslator((data) =>
    data.includes('too long') ? '{"new":"长"}' : null,
  );
  const out = chunks.flatMap((chunk) => translator.push(chunk));
  return Buffer.concat([...out, ...translator.end()]).toString();
}

/** The bytes in two pieces, cut everywhere; then one byte at a time. */
function* cuts(text: string): Generator<Uint8Array[]> {
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at += 1) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield Array.from(bytes, (byte) => Uint8Array.of(byte));
}

describe('SseTap', () => {
  const usage = (input: number | null, output: number | null, cacheRead: number | null = null) => ({
    input,
    output,
    cacheRead,
    cacheWrite: null,
  });
  const whole = {
    model: 'モデル',
    stopReason: 'end_turn',
    error: null,
    isComplete: true,
    usage: usage(5, 7),
  };
  const table: { name: string; stream: string; reads: object }[] = [
    {
      name: 'the recorded stream',
      stream: RECORDED,
      reads: {
        model: 'tiny-qwen',
        stopReason: 'max_tokens',
        error: null,
        isComplete: true,
        usage: usage(1, 6, 8),
      },
    },
    { name: 'text beyond ASCII', stream: START + DELTA + END, reads: whole },
    {
      name: 'CRLF, comments and pings',
      stream: `: hello\n\n${START}event: ping\ndata: {}\n\n${DELTA}${END}`.replaceAll('\n', '\r\n'),
      reads: whole,
    },
    {
      name: 'no space after the colon, no event names',
      stream: (START + DELTA + END).replace(/event: .*\n/g, '').replaceAll('data: ', 'data:'),
      reads: whole,
    },
    { name: 'no empty line at the end', stream: (START + END).slice(0, -2), reads: whole },
    {
      name: 'data over several lines',
      stream: START.replace('{"type"', '{\ndata: "type"') + END,
      reads: whole,
    },
    {
      name: 'cut off',
      stream: START + DELTA,
      reads: { ...whole, stopReason: null, isComplete: false, usage: usage(5, null) },
    },
    {
      name: 'an error',
      stream: START + OVERFLOW,
      reads: {
        ...whole,
        stopReason: null,
        isComplete: false,
        usage: usage(5, 0),
        error: { message: 'too long 长' },
      },
    },
    {
      name: '[DONE] and junk',
      stream: `data: [DONE]\n\n${START}data: {"a\n\n${END}`,
      reads: whole,
    },
    {
      name: 'zeros that nobody counted',
      stream: START.replace(':5', ':0') + DELTA + END.replace(':7', ':0'),
      reads: { ...whole, usage: usage(null, null) },
    },
    {
      name: 'a later zero does not undo a count',
      stream: START + END.replace('"output_tokens":7', '"input_tokens":0,"output_tokens":7'),
      reads: whole,
    },
    {
      name: 'counts that are none',
      stream: START.replace(':5', ':"5"') + END.replace(':7', ':-1'),
      reads: { ...whole, usage: usage(null, null) },
    },
  ];
  for (const { name, stream, reads } of table) {
    it(`${name}, cut anywhere`, () => {
      for (const chunks of cuts(stream)) assert.deepEqual(read(chunks), reads);
    });
  }
});

describe('SseErrorTranslator', () => {
  const table: { name: string; stream: string; becomes: string }[] = [
    {
      name: 'replaces an error',
      stream: START + OVERFLOW + END,
      becomes: `${START}event: error\ndata: {"new":"长"}\n\n${END}`,
    },
    {
      name: 'at the very beginning',
      stream: OVERFLOW,
      becomes: 'event: error\ndata: {"new":"长"}\n\n',
    },
    {
      name: 'without an event name',
      stream: OVERFLOW.replace('event: error\n', ''),
      becomes: 'event: error\ndata: {"new":"长"}\n\n',
    },
    {
      name: 'with CRLF',
      stream: OVERFLOW.replaceAll('\n', '\r\n') + START,
      becomes: `event: error\ndata: {"new":"长"}\n\n${START}`,
    },
    {
      name: 'without its empty line',
      stream: START + OVERFLOW.slice(0, -2),
      becomes: `${START}event: error\ndata: {"new":"长"}\n\n`,
    },
    ...[
      { name: 'other errors', stream: START + OVERFLOW.replace('too long', 'other') + END },
      { name: 'the recorded stream', stream: RECORDED },
      {
        name: 'odd streams',
        stream: `\n\n\r\n:c\n\n${START}\n\n\nno colon\n\nevent: erroneous\n\n`,
      },
      {
        name: 'the words in a text',
        stream: event('content_block_delta', { delta: { text: 'event: error too long' } }),
      },
      {
        name: 'an error larger than anyone writes',
        stream: OVERFLOW.replace('too', 'x'.repeat(70_000)) + START,
      },
    ].map(({ name, stream }) => ({ name: `leaves ${name}`, stream, becomes: stream })),
  ];
  for (const { name, stream, becomes } of table) {
    it(`${name}, cut anywhere`, () => {
      if (stream.length > 10_000) assert.equal(translate([Buffer.from(stream)]), becomes);
      else for (const chunks of cuts(stream)) assert.equal(translate(chunks), becomes);
    });
  }

  it('passes any bytes that hold no such error, cut anywhere', () => {
    const piece = fc.oneof(
      fc.uint8Array(),
      fc.constantFrom('\n', '\r\n', 'event: e', 'data: {"', START).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const bytes = Buffer.concat(pieces);
        const translator = new SseErrorTranslator(() => null);
        const out = pieces.flatMap((chunk) => translator.push(chunk));
        assert.deepEqual(Buffer.concat([...out, ...translator.end()]), bytes);
      }),
    );
  });

  it('holds nothing back of an event that is no error, and hands the chunk on as it is', () => {
    const translator = new SseErrorTranslator(() => null);
    const chunk = Buffer.from(START + DELTA + DELTA.slice(0, 40));
    assert.equal(translator.push(chunk)[0], chunk);
    assert.ok(!translator.isBetweenEvents);
    const rest = Buffer.from(DELTA.slice(40));
    assert.deepEqual(translator.push(rest), [rest]);
    assert.ok(translator.isBetweenEvents);
  });
});
