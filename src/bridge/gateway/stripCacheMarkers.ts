import { isJsonObject } from './jsonObject.ts';

/**
 * Messages without `cache_control`. Claude Code moves the marker along the conversation, so that with it the bytes of an old
 * message change on each request; servers that keep their cache by prefix do not need it.
 */
export function stripCacheMarkers(messages: readonly unknown[]): unknown[] {
  return messages.map((message) => withCleanContent(message));
}

function withCleanContent(holder: unknown): unknown {
  if (!isJsonObject(holder)) return holder;
  const { cache_control: marker, ...rest } = holder;
  const clean = marker === undefined ? holder : rest;
  const content = clean['content'];
  // Only the content of messages and of tool results is looked at: a tool's own arguments may hold a key of that name.
  return Array.isArray(content)
    ? { ...clean, content: (content as unknown[]).map(withCleanContent) }
    : clean;
}
