import { type Conversation, type OfferedTool, type Turn, userText } from './conversation.ts';
import { countTokensIn } from './countTokens.ts';
import { asArray, asObject, asString, type JsonObject, textsOf } from './json.ts';

/** A body of POST /v1/responses. */
export function readResponsesRequest(body: JsonObject, sessionHeader: string | null): Conversation {
  const input =
    typeof body['input'] === 'string'
      ? [{ role: 'user', content: body['input'] }]
      : asArray(body['input']).map(asObject);
  const choice = asObject(body['tool_choice']);
  return {
    turns: input.flatMap(readItem),
    tools: asArray(body['tools']).map(asObject).flatMap(readTool),
    demandedTool: body['tool_choice'] === 'required' ? true : asString(choice['name']),
    session: sessionHeader ?? asString(body['prompt_cache_key']) ?? '',
    wantsStream: body['stream'] === true,
    promptTokens: countTokensIn([body['instructions'], body['input'], body['tools']]),
  };
}

function readTool(tool: JsonObject): OfferedTool[] {
  const name = asString(tool['name']);
  if (name === null) return [];
  if (tool['type'] === 'custom') return [{ name, form: 'custom', schema: {} }];
  if (tool['type'] !== 'function') return [];
  return [{ name, form: 'function', schema: asObject(tool['parameters']) }];
}

function readItem(item: JsonObject): Turn[] {
  switch (item['type']) {
    case 'function_call':
    case 'custom_tool_call':
      return [{ kind: 'call' }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ kind: 'result', text: textsOf(item['output']).join('\n') }];
    case 'message':
    case undefined:
      break;
    default:
      return [];
  }
  if (item['role'] === 'assistant') return [{ kind: 'final' }];
  if (item['role'] !== 'user') return [];
  const text = textsOf(item['content']).map(userText).join('\n').trim();
  return text === '' ? [] : [{ kind: 'user', text }];
}
