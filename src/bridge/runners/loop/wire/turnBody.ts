import type { EndpointTarget } from '../../../endpoints/endpointTarget.ts';
import { chatBody } from './chatBody.ts';
import { checkHistory } from './checkHistory.ts';
import { messagesBody } from './messagesBody.ts';
import type { TurnRequest } from './turnTypes.ts';
import { wireNames } from './wireNames.ts';

export interface TurnBody {
  readonly path: '/v1/messages' | '/v1/chat/completions';
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * One request in the format of the endpoint. Of two requests whose messages begin alike, and that are alike in all else,
 * the JSON texts are the same up to the end of the messages in common: servers keep what they computed for a prefix. (With
 * `hasCacheMarks` the mark on the last message moves on; the model does not see it.) Earlier answers count as made by this
 * endpoint when their `endpoint` is the name of the target.
 *
 * @throws BridgeError `internal` for a history that the loop must never make.
 */
export function turnBody(
  target: Pick<EndpointTarget, 'name' | 'baseUrl'>,
  request: TurnRequest,
): TurnBody {
  const messages = wireNames(checkHistory(request.messages), request.format);
  return request.format === 'anthropic'
    ? { path: '/v1/messages', body: messagesBody(target, { ...request, messages }) }
    : { path: '/v1/chat/completions', body: chatBody(target, { ...request, messages }) };
}
