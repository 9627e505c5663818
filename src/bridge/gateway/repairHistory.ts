import { jsonrepair } from 'jsonrepair';
import { contentBlocks, isBlock, isMessage, textBlock } from './contentBlocks.ts';
import { isJsonObject, type JsonObject } from './jsonObject.ts';

/**
 * Makes a conversation valid that an interrupted turn, a compaction or a model with broken JSON left invalid; servers answer
 * such histories with an error on every later request.
 *
 * - Tool arguments that are not a JSON object are repaired, or replaced by `{}`.
 * - A call without a result before the next assistant message gets an error result.
 * - A result without a call, or a second one for the same call, is removed.
 *
 * Looks only at what lies between two assistant messages, so an answered turn is never edited again.
 */
export function repairHistory(messages: readonly unknown[]): {
  messages: unknown[];
  repaired: number;
} {
  const repaired: unknown[] = [];
  /** Calls of the latest run of assistant messages that have no result yet, with the text of the error they would get. */
  const open = new Map<string, string>();
  let userAt: number | null = null;
  let count = 0;

  const closeTurn = (): void => {
    if (open.size > 0) {
      count += open.size;
      const results = [...open].map(([id, text]) => errorResult(id, text));
      const user = userAt === null ? undefined : repaired[userAt];
      if (userAt !== null && isJsonObject(user)) {
        repaired[userAt] = {
          ...user,
          content: [...results, ...(contentBlocks(user['content']) ?? [])],
        };
      } else {
        repaired.push({ role: 'user', content: results });
      }
    }
    open.clear();
    userAt = null;
  };

  for (const message of messages) {
    if (isMessage(message, 'assistant')) {
      if (userAt !== null) closeTurn();
      const checked = repairCalls(message, open);
      count += checked.repaired;
      repaired.push(checked.message);
    } else if (isMessage(message, 'user')) {
      const checked = removeOrphans(message, open);
      count += checked.removed;
      repaired.push(checked.message);
      if (contentBlocks(message['content']) !== null) userAt ??= repaired.length - 1;
    } else {
      repaired.push(message);
    }
  }
  closeTurn();
  return { messages: repaired, repaired: count };
}

function repairCalls(
  message: JsonObject,
  open: Map<string, string>,
): { message: JsonObject; repaired: number } {
  if (!Array.isArray(message['content'])) return { message, repaired: 0 };
  let repaired = 0;
  const content = (message['content'] as readonly unknown[]).map((block) => {
    if (!isBlock(block, 'tool_use')) return block;
    const id = block['id'];
    if (isJsonObject(block['input'])) {
      if (typeof id === 'string') open.set(id, 'The call was interrupted: it has no result.');
      return block;
    }
    repaired += 1;
    const input = repairArguments(block['input']);
    if (typeof id === 'string') {
      open.set(
        id,
        input === null
          ? `The arguments were not valid JSON: ${JSON.stringify(block['input'] ?? null).slice(0, 200)}`
          : 'The call was interrupted: it has no result.',
      );
    }
    return { ...block, input: input ?? {} };
  });
  return { message: repaired === 0 ? message : { ...message, content }, repaired };
}

/** Arguments as an object; null when nothing sensible can be made of them. No arguments at all are `{}` (vLLM streams ""). */
function repairArguments(input: unknown): JsonObject | null {
  if (input === undefined || input === null || input === '') return {};
  if (typeof input !== 'string') return null;
  try {
    const value: unknown = JSON.parse(jsonrepair(input));
    return isJsonObject(value) ? value : null;
  } catch (error) {
    // jsonrepair and JSON.parse throw on text they can make nothing of, and on text nested too deeply (RangeError).
    if (error instanceof Error) return null;
    throw error;
  }
}

function removeOrphans(
  message: JsonObject,
  open: Map<string, string>,
): { message: JsonObject; removed: number } {
  if (!Array.isArray(message['content'])) return { message, removed: 0 };
  const blocks = message['content'] as readonly unknown[];
  const kept = blocks.filter((block) => {
    if (!isBlock(block, 'tool_result')) return true;
    const id = block['tool_use_id'];
    return typeof id === 'string' && open.delete(id);
  });
  const removed = blocks.length - kept.length;
  if (removed === 0) return { message, removed };
  // An empty message is refused by servers, and without it two assistant messages would touch.
  const content =
    kept.length > 0
      ? kept
      : [textBlock('(A tool result whose call is not in this conversation was removed.)')];
  return { message: { ...message, content }, removed };
}

function errorResult(id: string, text: string): JsonObject {
  return { type: 'tool_result', tool_use_id: id, is_error: true, content: text };
}
