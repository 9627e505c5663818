/** What a request behind the token is for. */
export type GatewayRoute = 'alive' | 'messages' | 'count_tokens' | 'models';

/**
 * Only requests to models are carried: the gateway adds the endpoint's credentials, and what a model server or a proxy offers
 * beside (erasing slots, making keys) is no business of the program inside a job. Null for everything else.
 */
export function gatewayRoute(method: string, path: string): GatewayRoute | null {
  if (method === 'HEAD' && path === '/') return 'alive';
  if (method === 'POST' && path === '/v1/messages') return 'messages';
  if (method === 'POST' && path === '/v1/messages/count_tokens') return 'count_tokens';
  if (method === 'GET' && /^\/v1\/models(\/[\w.:-]+)*$/.test(path) && !/\/\.+(\/|$)/.test(path))
    return 'models';
  return null;
}
