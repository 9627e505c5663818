import { type Conversation, type Turn, userText } from './conversation.ts';
import { countTokensIn } from './countTokens.ts';
import { asArray, asObject, asString, type JsonObject, textsOf } from './json.ts';

/** A body of POST /v1/messages or /v1/messages/count_tokens. */
export function readMessagesRequest(body: JsonObject, sessionHeader: string | null): Conversation {
  const choice = asObject(body['tool_choice']);
  return {
    turns: asArray(body['messages']).flatMap((message) => readMessage(asObject(message))),
    tools: asArray(body['tools'])
      .map(asObject)
      .map((tool) => ({
        name: asString(tool['name']) ?? '',
        form: 'function',
        schema: asObject(tool['input_schema']),
      })),
    demandedTool:
      choice['type'] === 'any' ? true : choice['type'] === 'tool' ? asString(choice['name']) : null,
    session: sessionHeader ?? asString(asObject(body['metadata'])['user_id']) ?? '',
    wantsStream: body['stream'] === true,
    promptTokens: countTokensIn([body['system'], body['messages'], body['tools']]),
  };
}

function readMessage({ role, content }: JsonObject): Turn[] {
  const blocks = asArray(content).map(asObject);
  if (role === 'assistant') {
    return [{ kind: blocks.some((block) => block['type'] === 'tool_use') ? 'call' : 'final' }];
  }
  if (role !== 'user') return [];
  const results = blocks.filter((block) => block['type'] === 'tool_result');
  const turns: Turn[] = results.map((block) => ({
    kind: 'result',
    text: textsOf(block['content']).join('\n'),
  }));
  const text = textsOf(content).map(userText).join('\n').trim();
  if (text !== '') turns.push({ kind: 'user', text });
  return turns;
}
