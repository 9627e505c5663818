import { type Conversation, type Turn, userText } from './conversation.ts';
import { countTokensIn } from './countTokens.ts';
import { asArray, asObject, asString, type JsonObject, textsOf } from './json.ts';

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

function readMessage({ role, content, tool_calls: calls }: JsonObject): Turn[] {
  switch (role) {
    case 'assistant':
      return [{ kind: asArray(calls).length > 0 ? 'call' : 'final' }];
    case 'tool':
      return [{ kind: 'result', text: textsOf(content).join('\n') }];
    case 'user': {
      const text = textsOf(content).map(userText).join('\n').trim();
      return text === '' ? [] : [{ kind: 'user', text }];
    }
    default:
      return [];
  }
}
