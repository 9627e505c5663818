import type { EndpointTarget } from '../../../endpoints/endpointTarget.ts';
import type { TurnRequest } from './turnTypes.ts';

/** Headers of a turn; what the endpoint is configured with wins. */
export function turnHeaders(
  target: Pick<EndpointTarget, 'backend' | 'headers'>,
  request: Pick<TurnRequest, 'format' | 'isStreaming'>,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: request.isStreaming ? 'text/event-stream' : 'application/json',
    'content-type': 'application/json',
    ...(request.format === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}),
    // The loop retries; a gateway that retries too would multiply the attempts.
    ...(target.backend === 'litellm' ? { 'x-litellm-num-retries': '0' } : {}),
  };
  for (const [name, value] of Object.entries(target.headers)) headers[name.toLowerCase()] = value;
  // Bytes are read as they come; asking for plain ones is cheaper than unpacking them.
  headers['accept-encoding'] = 'identity';
  return headers;
}
