/**
 * The root of a server from any of the addresses people write: without query, trailing slash and what follows `/v1`.
 * `http://h/v1/messages` -> `http://h`, `https://openrouter.ai/api/v1` -> `https://openrouter.ai/api`; `/v1beta/x` stays.
 */
export function serverRoot(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const inside = url.pathname.indexOf('/v1/');
  let path = inside >= 0 ? url.pathname.slice(0, inside) : url.pathname.replace(/\/+$/, '');
  if (inside < 0 && path.endsWith('/v1')) path = path.slice(0, -3);
  const login =
    url.username === '' ? '' : `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;
  return `${url.protocol}//${login}${url.host}${path.replace(/\/+$/, '')}`;
}

/** Whether two addresses lead to the same server root, whatever their spelling. */
export function isSameServer(a: string, b: string): boolean {
  return serverRoot(a) === serverRoot(b);
}
