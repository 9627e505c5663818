import { isJsonObject, type JsonObject } from './jsonObject.ts';

/**
 * The content of a message or of a tool result as blocks: a non-empty string becomes one text block, since the API refuses
 * empty ones. Null when the content has a shape that is not known: such content is never touched.
 */
export function contentBlocks(content: unknown): readonly unknown[] | null {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content)];
  if (Array.isArray(content)) return content as readonly unknown[];
  return content === undefined || content === null ? [] : null;
}

export function textBlock(text: string): JsonObject {
  return { type: 'text', text };
}

/** True for a block of that type that is an object; a hostile body may hold anything. */
export function isBlock(block: unknown, type: string): block is JsonObject {
  return isJsonObject(block) && block['type'] === type;
}

/** True for a message of that role that is an object. */
export function isMessage(message: unknown, role: string): message is JsonObject {
  return isJsonObject(message) && message['role'] === role;
}
