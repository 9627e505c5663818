import { isIPv6 } from 'node:net';

export interface ReadAddress {
  /** The root of the server, as it would be written; null while the text is no address. */
  readonly address: string | null;
  /** What to say while somebody types; null when there is nothing to say. */
  readonly note: { readonly severity: 'error' | 'info'; readonly message: string } | null;
}

const NEAR_NAME = /^(localhost|.*\.(local|lan|internal|home|home\.arpa))$|^[^.:]+$/;

/** What the servers themselves answer beside the API: Ollama's and LM Studio's lists, llama.cpp's pages. */
const OWN_PATHS =
  /(\/(api\/(tags|chat|generate|ps|show|version)|api\/v0\/.*|health|metrics|props|slots))+$/;

/**
 * What somebody types as the address of a model server. People paste whatever their client was given: without a scheme, with `/v1`,
 * with a login, a path of the API, in quotes, as the server's log prints it.
 */
export function readAddress(text: string): ReadAddress {
  const typed = unquoted(text.trim());
  if (typed === '') return { address: null, note: null };
  if (isIPv6(typed))
    return error(`An IPv6 address is written in brackets, with its port: http://[${typed}]:8080`);
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const url = URL.parse(hasScheme ? typed : `http://${typed}`);
  if (url === null || url.hostname === '' || /\s/.test(typed))
    return error('This is not an address. For example: http://127.0.0.1:8080');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return error(`An address begins with http:// or https://, not ${url.protocol}//`);
  if (url.username !== '' || url.password !== '')
    return error(
      'Leave the login out of the address: a key is asked for when the server wants one.',
    );

  const path = url.pathname
    .replace(/\/v1(\/.*)?$/, '')
    .replace(/\/+$/, '')
    .replace(OWN_PATHS, '');
  const address = `${url.protocol}//${url.host}${path}`;
  const notes: string[] = [];
  if (!hasScheme) notes.push('http:// is put in front.');
  if (/\/v1(\/|$)/.test(url.pathname))
    notes.push(`"/v1" and what follows is added by itself; ${address} is what is written.`);
  if (OWN_PATHS.test(url.pathname.replace(/\/+$/, '')))
    notes.push(`The server is meant, not one of its pages; ${address} is what is written.`);
  if (url.search !== '' || url.hash !== '') notes.push('What follows the path is left out.');
  if (url.protocol === 'http:' && url.port === '' && NEAR_NAME.test(url.hostname))
    notes.push(
      'No port: 80 is asked. llama.cpp listens on 8080, Ollama on 11434, LM Studio on 1234.',
    );
  return {
    address,
    note: notes.length === 0 ? null : { severity: 'info', message: notes.join(' ') },
  };
}

function error(message: string): ReadAddress {
  return { address: null, note: { severity: 'error', message } };
}

/** As it stands in a configuration or a mail; a comma after it is part of that only where there are quotes. */
function unquoted(text: string): string {
  const quoted = /^(["'`])(.*)\1[,;]?$/s.exec(text)?.[2] ?? /^<(.*)>$/s.exec(text)?.[1];
  return quoted?.trim() ?? text;
}
