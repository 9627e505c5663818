import { contentBlocks, isBlock, isMessage, textBlock } from './contentBlocks.ts';
import type { JsonObject } from './jsonObject.ts';

/**
 * Folds `role: system` entries of the conversation into user messages, because many chat templates refuse them there (Qwen3.5)
 * or silently drop them (gpt-oss, MiniMax-M2).
 *
 * In place: directly after a user message the text is appended to it; otherwise it is prepended to the user message that
 * follows; with neither it becomes a user message of its own. Nothing before the last assistant message is ever edited, so
 * that a server's prompt cache holds from one request to the next. Block arrays and strings give the same text.
 */
export function foldSystem(messages: readonly unknown[]): { messages: unknown[]; folded: number } {
  const folded: unknown[] = [];
  let pending: JsonObject[] = [];
  let count = 0;
  const flush = (): void => {
    if (pending.length > 0) folded.push({ role: 'user', content: pending });
    pending = [];
  };
  for (const message of messages) {
    if (isMessage(message, 'system')) {
      const text = systemText(message['content']);
      if (text === '') continue;
      count += 1;
      const block = textBlock(`<system>\n${text}\n</system>`);
      const last = pending.length === 0 ? folded.at(-1) : undefined;
      const before = isMessage(last, 'user') ? contentBlocks(last['content']) : null;
      if (before === null) pending.push(block);
      else folded[folded.length - 1] = { ...(last as JsonObject), content: [...before, block] };
      continue;
    }
    const after = isMessage(message, 'user') ? contentBlocks(message['content']) : null;
    if (after !== null && pending.length > 0) {
      folded.push({ ...(message as JsonObject), content: [...pending, ...after] });
      pending = [];
      continue;
    }
    flush();
    folded.push(message);
  }
  flush();
  return { messages: folded, folded: count };
}

function systemText(content: unknown): string {
  const texts = (contentBlocks(content) ?? []).map((block) =>
    isBlock(block, 'text') && typeof block['text'] === 'string' ? block['text'] : '',
  );
  return texts
    .filter((text) => text !== '')
    .join('\n')
    .trim();
}
