import {
  AnswerStream,
  type NoAnswer,
} from '../../../../../../src/bridge/runners/loop/wire/answerStream.ts';
import { ChatReader } from '../../../../../../src/bridge/runners/loop/wire/chatReader.ts';
import { DeltaSink } from '../../../../../../src/bridge/runners/loop/wire/deltaSink.ts';
import { MessagesReader } from '../../../../../../src/bridge/runners/loop/wire/messagesReader.ts';
import type { TurnAnswer } from '../../../../../../src/bridge/runners/loop/wire/turnTypes.ts';
import type { WireFormat } from '../../../../../../src/bridge/endpoints/endpointTarget.ts';

export interface StreamReading {
  readonly answer: TurnAnswer | NoAnswer;
  /** What was told of it while it came, by kind. */
  readonly told: Readonly<Record<'text' | 'thinking' | 'tool', string>>;
  readonly firstTokens: number;
  readonly failure: unknown;
  readonly isOver: boolean;
}

/** Reads an answer that comes in these pieces. */
export function readStream(
  format: WireFormat,
  chunks: readonly Uint8Array[],
  contentType = 'text/event-stream',
): StreamReading {
  const told = { text: '', thinking: '', tool: '' };
  let firstTokens = 0;
  const sink = new DeltaSink({
    onDelta: (kind, text) => (told[kind] += text),
    onFirstToken: () => (firstTokens += 1),
  });
  const reader = format === 'anthropic' ? new MessagesReader(sink) : new ChatReader(sink);
  const stream = new AnswerStream(reader, contentType);
  for (const chunk of chunks) stream.push(chunk);
  const answer = stream.end();
  return { answer, told, firstTokens, failure: stream.failure, isOver: stream.isOver };
}

/** The answer in a text that is one. */
export function readAnswer(format: WireFormat, text: string, contentType?: string): TurnAnswer {
  const { answer } = readStream(format, [Buffer.from(text)], contentType);
  if ('what' in answer) throw new Error(`No answer but ${answer.what}.`);
  return answer;
}

/** A stream of chat completions with these deltas and this end. */
export function chatStream(deltas: readonly object[], end: string | null = 'stop'): string {
  const chunks = deltas.map((delta) => ({ model: 'm', choices: [{ index: 0, delta }] }));
  const last = { choices: [{ index: 0, delta: {}, finish_reason: end }] };
  return [...chunks, ...(end === null ? [] : [last])]
    .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    .join('');
}

/** A stream of the Messages API with these events between its start and its end. */
export function messagesStream(
  events: readonly { readonly type: string }[],
  end: string | null = 'end_turn',
): string {
  const all = [
    { type: 'message_start', message: { model: 'm', content: [], usage: { input_tokens: 5 } } },
    ...events,
    ...(end === null
      ? []
      : [
          { type: 'message_delta', delta: { stop_reason: end }, usage: { output_tokens: 7 } },
          { type: 'message_stop' },
        ]),
  ];
  return all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
