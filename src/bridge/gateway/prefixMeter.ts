import { createHash } from 'node:crypto';
import { isMessage } from './contentBlocks.ts';
import type { JsonObject } from './jsonObject.ts';

/** How many conversations are remembered; a session has few at a time (itself, subagents, side requests). */
const MAX_CONVERSATIONS = 16;

/**
 * How much of a prompt the previous request of the same conversation had in common with it: what a server's prompt cache can
 * keep. Conversations are told apart by model and first user message, so that subagents do not disturb.
 */
export class PrefixMeter {
  readonly #previous = new Map<string, Buffer>();

  /** Bytes shared with the previous prompt, and that prompt's size; null for the first of a conversation. */
  measure(body: JsonObject): { commonPrefixBytes: number; prevBytes: number } | null {
    const key = conversationKey(body);
    if (key === null) return null;
    const prompt = promptBytes(body);
    const previous = this.#previous.get(key);
    // Deleted first: a Map keeps insertion order, so the first key is the one unused for longest.
    this.#previous.delete(key);
    this.#previous.set(key, prompt);
    if (this.#previous.size > MAX_CONVERSATIONS) {
      const [oldest] = this.#previous.keys();
      if (oldest !== undefined) this.#previous.delete(oldest);
    }
    if (previous === undefined) return null;
    return { commonPrefixBytes: commonPrefix(previous, prompt), prevBytes: previous.length };
  }
}

function conversationKey(body: JsonObject): string | null {
  if (!Array.isArray(body['messages'])) return null;
  const first = (body['messages'] as readonly unknown[]).find((message) =>
    isMessage(message, 'user'),
  );
  if (first === undefined) return null;
  return createHash('sha256')
    .update(JSON.stringify([body['model'], first]))
    .digest('base64');
}

/** In the order in which templates render them, without the closing bracket of the list, which moves as it grows. */
function promptBytes(body: JsonObject): Buffer {
  const parts = [body['system'] ?? null, body['tools'] ?? null].map((part) => JSON.stringify(part));
  return Buffer.from(`${parts.join('')}${JSON.stringify(body['messages']).slice(0, -1)}`);
}

function commonPrefix(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length);
  const stepBytes = 4096;
  let at = 0;
  while (at + stepBytes <= length && a.compare(b, at, at + stepBytes, at, at + stepBytes) === 0)
    at += stepBytes;
  while (at < length && a[at] === b[at]) at += 1;
  return at;
}
