import { apiUrl } from './endpoints/apiUrl.ts';

/** No name in models.yaml has a colon, so none of them can be taken for one of these. */
const PREFIX = 'provider:';

/** The name of an endpoint that a call named by its address: one for each address, so that nothing is learnt of another. */
export function adHocName(url: URL): string {
  const base = apiUrl(url.href, '');
  const scheme = url.protocol === 'https:' ? '' : 'http://';
  return `${PREFIX}${scheme}${base.host}${base.pathname.replace(/\/$/, '')}`;
}

export function isAdHocName(name: string): boolean {
  return name.startsWith(PREFIX);
}
