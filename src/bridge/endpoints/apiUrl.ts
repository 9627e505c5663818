/**
 * The URL of an API path on an endpoint. People paste addresses that already contain `/v1` or
 * `/v1/messages`; everything from there on is dropped, as are query and fragment. `path` begins
 * with a slash.
 *
 * @throws TypeError when `baseUrl` is not an http(s) URL.
 */
export function apiUrl(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('Not an http(s) URL.');
  const root = url.pathname.replace(/\/v1(\/.*)?$/, '').replace(/\/+$/, '');
  return new URL(`${url.protocol}//${url.host}${root}${path}`);
}
