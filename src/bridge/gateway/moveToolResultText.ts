import { contentBlocks, isBlock, isMessage } from './contentBlocks.ts';

/**
 * Moves the text that stands beside tool results into the content of the last result of that message. Some templates (gemma-4)
 * render a tool result only directly after the call: text in between makes the model blind, and it then invents what it read.
 * Images and results keep their order. Runs after the fold, which puts text there itself.
 */
export function moveToolResultText(messages: readonly unknown[]): {
  messages: unknown[];
  moved: number;
} {
  let moved = 0;
  const rewritten = messages.map((message) => {
    if (!isMessage(message, 'user') || !Array.isArray(message['content'])) return message;
    const blocks = message['content'] as readonly unknown[];
    const last = blocks.findLast((block) => isBlock(block, 'tool_result'));
    const texts = blocks.filter((block) => isBlock(block, 'text'));
    if (!isBlock(last, 'tool_result') || texts.length === 0) return message;
    const own = contentBlocks(last['content']);
    if (own === null) return message;
    moved += texts.length;
    const content = blocks
      .filter((block) => !isBlock(block, 'text'))
      .map((block) => (block === last ? { ...last, content: [...own, ...texts] } : block));
    return { ...message, content };
  });
  return { messages: rewritten, moved };
}
