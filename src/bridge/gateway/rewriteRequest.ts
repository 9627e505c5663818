import { foldSystem } from './foldSystem.ts';
import type { JsonObject } from './jsonObject.ts';
import { moveToolResultText } from './moveToolResultText.ts';
import { repairHistory } from './repairHistory.ts';
import { stripCacheMarkers } from './stripCacheMarkers.ts';

/** How many places of a request each rewrite changed. */
export interface Rewrites {
  readonly folded: number;
  readonly moved: number;
  readonly repaired: number;
}

/**
 * A `/v1/messages` body as a local server can take it; everything but `messages` stays as it is.
 *
 * Append-only: when a conversation grows by an assistant message and what follows it, the rewritten messages of the earlier
 * request are, byte for byte once serialised, the beginning of those of the later one. A server's prompt cache rests on it.
 */
export function rewriteRequest(body: JsonObject): { body: JsonObject; rewrites: Rewrites } {
  if (!Array.isArray(body['messages']))
    return { body, rewrites: { folded: 0, moved: 0, repaired: 0 } };
  const { messages: inUserMessages, folded } = foldSystem(stripCacheMarkers(body['messages']));
  const { messages: valid, repaired } = repairHistory(inUserMessages);
  const { messages, moved } = moveToolResultText(valid);
  return { body: { ...body, messages }, rewrites: { folded, moved, repaired } };
}
