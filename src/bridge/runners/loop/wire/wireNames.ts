import type { WireFormat } from '../../../endpoints/endpointTarget.ts';
import type { Message } from '../history.ts';

const MAX_NAME_LENGTH = 64;

/**
 * The checked history with ids and names that a server takes: servers count calls from 0 in each answer, leave ids out or use
 * characters that another one refuses, and models call tools by names that cannot be one. A call is named by what came
 * before it alone, so it keeps its id in every later request.
 */
export function wireNames(messages: readonly Message[], format: WireFormat): readonly Message[] {
  const used = new Set<string>();
  let ids: readonly string[] = [];
  return messages.map((message): Message => {
    if (message.role === 'assistant') {
      const newIds: string[] = [];
      const blocks = message.blocks.map((block) => {
        if (block.type !== 'tool_call') return block;
        const id = unusedId(wireId(block.id, format), used);
        newIds.push(id);
        return { ...block, id, name: toolName(block.name) };
      });
      ids = newIds;
      return { ...message, blocks };
    }
    if (message.role === 'user') return message;
    const results = message.results.map((result, at) => ({
      ...result,
      callId: ids[at] ?? result.callId,
      name: toolName(result.name),
    }));
    return { role: 'results', results };
  });
}

function wireId(id: string, format: WireFormat): string {
  // Chat servers get back what they sent: some read the position of the call out of it.
  const clean = format === 'anthropic' ? id.replace(/[^\w-]/g, '_') : id;
  return clean === '' ? 'call' : clean;
}

function unusedId(id: string, used: Set<string>): string {
  let unused = id;
  for (let count = 2; used.has(unused); count += 1) unused = `${id}_${count}`;
  used.add(unused);
  return unused;
}

function toolName(name: string): string {
  const clean = name.replace(/[^\w-]/g, '_').slice(0, MAX_NAME_LENGTH);
  return clean === '' ? 'unknown_tool' : clean;
}
