import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from './answer.ts';
import type { Dialect, FinishedAnswer, StreamPiece } from './dialect.ts';
import type { JsonObject } from './json.ts';
import type { Fault, Manner } from './script.ts';

export interface Delivery {
  dialect: Dialect;
  request: JsonObject;
  wantsStream: boolean;
  contextTokens: number;
  /** Aborted when the client has gone or the server closes. */
  signal: AbortSignal;
}

const HTML =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n';

/** Sends one reply with its fault and manners. Rejects with the signal's reason when that aborts. */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  answer: FinishedAnswer,
  delivery: Delivery,
): Promise<void> {
  const { manners, fault } = reply;
  for (const manner of manners) {
    if (manner.kind === 'hang') await delay(manner.durationMs, undefined, delivery);
  }
  if (fault !== null && (await sendInstead(response, fault, answer, delivery))) return;

  const pieces = delivery.wantsStream
    ? delivery.dialect.stream(answer, delivery.request)
    : [{ text: JSON.stringify(delivery.dialect.write(answer)), tokens: answer.usage.outputTokens }];
  response.writeHead(200, {
    'content-type': delivery.wantsStream ? 'text/event-stream' : 'application/json; charset=utf-8',
  });
  if (fault?.kind === 'bad-json') breakJson(pieces);
  if (fault?.kind === 'cut') {
    const total = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
    await writePieces(response, cutTo(pieces, Math.floor(total / 2)), manners, delivery.signal);
    response.destroy();
    return;
  }
  await writePieces(response, pieces, manners, delivery.signal);
  response.end();
}

/** Faults that send something else than the answer; true when one did. */
async function sendInstead(
  response: ServerResponse,
  fault: Fault,
  answer: FinishedAnswer,
  { dialect, contextTokens }: Delivery,
): Promise<boolean> {
  switch (fault.kind) {
    case 'status': {
      const retry = fault.retryAfterS === null ? {} : { 'retry-after': String(fault.retryAfterS) };
      sendJson(response, fault.status, dialect.error(fault.status, fault.message), retry);
      return true;
    }
    case 'overflow':
      sendOverflow(response, Math.max(answer.usage.inputTokens, contextTokens + 1), contextTokens);
      return true;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
      return true;
    case 'empty':
    case 'cut':
    case 'bad-json':
      return false;
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

/** What llama.cpp answers to a prompt that does not fit, on every API. */
export function sendOverflow(
  response: ServerResponse,
  tokens: number,
  contextTokens: number,
): void {
  sendJson(response, 400, {
    error: {
      code: 400,
      message: `request (${tokens} tokens) exceeds the available context size (${contextTokens} tokens), try increasing it`,
      type: 'exceed_context_size_error',
      n_prompt_tokens: tokens,
      n_ctx: contextTokens,
    },
  });
}

/** Takes the end off the middle piece, so its JSON does not parse while the framing stays right. */
function breakJson(pieces: StreamPiece[]): void {
  const middle = Math.floor(pieces.length / 2);
  const piece = pieces[middle];
  if (piece === undefined) return;
  const json = piece.text.trimEnd();
  const ending = piece.text.slice(json.length);
  pieces[middle] = { ...piece, text: json.slice(0, -2) + ending };
}

function cutTo(pieces: readonly StreamPiece[], length: number): StreamPiece[] {
  const kept: StreamPiece[] = [];
  let left = length;
  for (const piece of pieces) {
    if (left <= 0) break;
    kept.push({ ...piece, text: piece.text.slice(0, left) });
    left -= piece.text.length;
  }
  return kept;
}

async function writePieces(
  response: ServerResponse,
  pieces: readonly StreamPiece[],
  manners: readonly Manner[],
  signal: AbortSignal,
): Promise<void> {
  const split = manners.find((manner) => manner.kind === 'split');
  const slow = manners.find((manner) => manner.kind === 'slow');
  for (const piece of pieces) {
    if (slow !== undefined && piece.tokens > 0) {
      await delay((piece.tokens / slow.tokensPerSecond) * 1000, undefined, { signal });
    }
    for (const part of split === undefined ? [piece.text] : partsOf(piece.text, split.sizeBytes)) {
      await write(response, part, signal);
    }
  }
}

function* partsOf(text: string, sizeBytes: number): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += sizeBytes) yield bytes.subarray(i, i + sizeBytes);
}

/** Writes and waits until the operating system has it, so that parts do not melt into one packet. */
async function write(
  response: ServerResponse,
  part: string | Buffer,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    response.write(part, (error) => {
      signal.removeEventListener('abort', stop);
      if (error) reject(error);
      else resolve();
    });
  });
}
