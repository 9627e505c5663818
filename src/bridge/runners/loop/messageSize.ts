import type { Message } from './history.ts';

/** Characters of a message as the model is sent them, without the format around. */
export function messageSize(message: Message): number {
  switch (message.role) {
    case 'user':
      return message.text.length;
    case 'assistant':
      return message.blocks.reduce((sum, block) => sum + blockSize(block), 0);
    case 'results':
      return message.results.reduce((sum, result) => sum + result.text.length, 0);
  }
}

type Block = Extract<Message, { role: 'assistant' }>['blocks'][number];

function blockSize(block: Block): number {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return block.text.length;
    case 'tool_call':
      return block.name.length + block.rawInput.length;
  }
}
