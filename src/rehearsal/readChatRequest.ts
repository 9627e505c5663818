import { type Conversation, type Turn, withoutReminders } from './conversation.ts';
import { countTokensIn } from './countTokens.ts';
import { asArray, asObject, asString, type JsonObject } from './json.ts';

/** A body of POST /v1/chat/completions. */
export function readChatRequest(body: JsonObject, sessionHeader: string | null): Conversation {
  return {
    turns: asArray(body['messages']).flatMap((message) => readMessage(asObject(message))),
    tools: asArray(body['tools'])
      .map((tool) => asObject(asObject(tool)['function']))
      .map((tool) => ({
        name: asString(tool['name']) ?? '',
        form: 'function',
        schema: asObject(tool['parameters']),
      })),
    demandedTool: readChoice(body['tool_choice']),
    session: sessionHeader ?? asString(body['prompt_cache_key']) ?? asString(body['user']) ?? '',
    wantsStream: body['stream'] === true,
    promptTokens: countTokensIn([body['messages'], body['tools']]),
  };
}

function readChoice(choice: unknown): string | true | null {
  if (choice === 'required') return true;
  return asString(asObject(asObject(choice)['function'])['name']);
}

function readMessage(message: JsonObject): Turn[] {
  switch (message['role']) {
    case 'assistant':
      return [{ kind: asArray(message['tool_calls']).length > 0 ? 'call' : 'final' }];
    case 'tool':
      return [{ kind: 'result' }];
    case 'user': {
      const text = withoutReminders(textOf(message['content']));
      return text === '' ? [] : [{ kind: 'user', text }];
    }
    default:
      return [];
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map((part) => asString(asObject(part)['text']) ?? '')
    .join('\n');
}
