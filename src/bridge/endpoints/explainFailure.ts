import type { DownReason } from './endpointProbe.ts';
import { OversizedReply, type Reply } from './exchange.ts';
import { BridgeError } from '../../base/bridgeError.ts';
import { asObject, asString } from './jsonValue.ts';

export interface FailureWords {
  readonly why: DownReason;
  readonly message: string;
  readonly hint: string;
}

/**
 * A failed connection in words that a person can act on. `timeoutMs` is the limit that a
 * TimeoutError stands for.
 */
export function explainError(error: unknown, url: URL, timeoutMs: number): FailureWords {
  const host = hostOf(url);
  const port = portOf(url);
  if (error instanceof BridgeError)
    return { why: 'error', message: error.message, hint: error.hint };
  if (error instanceof OversizedReply) {
    return {
      why: 'not_a_model_server',
      message: `${host}:${port} answers, but with more than ${Math.round(error.limitBytes / 1024 / 1024)} MB: that is not a list of models.`,
      hint: 'Correct base_url.',
    };
  }
  const codes = errorCodes(error);
  const has = (...wanted: readonly string[]): string | undefined =>
    wanted.find((code) => codes.includes(code));
  if (has('ECONNREFUSED')) {
    return {
      why: 'port_closed',
      message: `${host} is up, but nothing listens on port ${port}.`,
      hint: 'Start the model server, or correct base_url.',
    };
  }
  const unreachable = has('EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN');
  if (unreachable !== undefined) {
    return {
      why: 'host_down',
      message: `${host} cannot be reached (${unreachable}).`,
      hint: 'Turn the machine on, or check the network and the VPN.',
    };
  }
  if (
    has(
      'TimeoutError',
      'UND_ERR_CONNECT_TIMEOUT',
      'ETIMEDOUT',
      'UND_ERR_HEADERS_TIMEOUT',
      'UND_ERR_BODY_TIMEOUT',
    )
  ) {
    return {
      why: 'timed_out',
      message: `${host}:${port} did not answer within ${timeoutMs / 1000} s.`,
      hint: 'The machine may be off, a firewall may drop packets, or the server is too busy to answer.',
    };
  }
  if (has('ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA')) {
    return {
      why: 'error',
      message: `No address is known for the name ${host}.`,
      hint: 'Correct base_url, or check the name server and the VPN.',
    };
  }
  const certificate = codes.find((code) => /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code));
  if (certificate !== undefined) {
    return {
      why: 'error',
      message: `The certificate of ${host}:${port} is not trusted (${certificate}).`,
      hint: 'Set tls.ca of this endpoint to the certificate of its authority.',
    };
  }
  if (has('ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO')) {
    return {
      why: 'not_a_model_server',
      message: `${host}:${port} does not speak TLS.`,
      hint: 'If it is a plain HTTP server, begin base_url with http://.',
    };
  }
  if (codes.some((code) => code === 'HTTPParserError' || code.startsWith('HPE_'))) {
    return {
      why: 'not_a_model_server',
      message: `What listens on port ${port} of ${host} does not speak HTTP.`,
      hint: 'Correct base_url; if the server wants TLS, begin it with https://.',
    };
  }
  if (has('UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE')) {
    return {
      why: 'error',
      message: `${host}:${port} took the connection and closed it without an answer.`,
      hint: 'Look at the log of the model server; if it wants TLS, begin base_url with https://.',
    };
  }
  return {
    why: 'error',
    message: `${host}:${port} could not be asked: ${error instanceof Error ? error.message : String(error)}.`,
    hint: '',
  };
}

/** An answer of the models list that is not one, in words. */
export function explainReply(reply: Reply, url: URL): FailureWords {
  const host = hostOf(url);
  const port = portOf(url);
  const said = serverMessage(reply.json);
  const quoted = said === null ? '' : `: ${said}`;
  if (reply.status === 401 || reply.status === 403) {
    return {
      why: 'wants_key',
      message: `${host} wants a key and does not accept the one it got, if any (HTTP ${reply.status}${quoted}).`,
      hint: 'Set api_key of this endpoint, as ${secret:NAME} or ${env:NAME}.',
    };
  }
  if (reply.status === 503 && said !== null && /loading/i.test(said)) {
    return {
      why: 'loading',
      message: `${host} is up and still loading its model.`,
      hint: 'Wait until it is loaded, then try again.',
    };
  }
  if (reply.status >= 300 && reply.status < 400) {
    return {
      why: 'error',
      message: `${host}:${port} redirects to another address (HTTP ${reply.status}); redirects are not followed.`,
      hint: 'Set base_url to the address of the model server itself.',
    };
  }
  if (reply.status === 429 || reply.status >= 500) {
    return {
      why: 'error',
      message: `${host}:${port} answers with HTTP ${reply.status}${quoted}.`,
      hint: '',
    };
  }
  return {
    why: 'not_a_model_server',
    message: `${host}:${port} answers, but not as a model server (HTTP ${reply.status} for ${url.pathname}).`,
    hint:
      reply.status === 404 || reply.status === 405
        ? "Correct base_url (the root of the server, without /v1). For a server that speaks Anthropic's format but lists no models, set backend: anthropic."
        : 'Correct base_url: the root of the server, without /v1.',
  };
}

/** The server's own words, bounded; null when there are none. */
export function serverMessage(json: unknown): string | null {
  const document = asObject(json);
  const error = document?.['error'];
  const text =
    asString(asObject(error)?.['message']) ??
    asString(error) ??
    asString(document?.['message']) ??
    asString(document?.['detail']);
  return text === null ? null : text.replace(/\s+/g, ' ').slice(0, 300);
}

/**
 * Codes and names of an error, its causes and its parts: Node wraps the refusals of several
 * addresses in an AggregateError.
 */
function errorCodes(error: unknown): readonly string[] {
  const codes: string[] = [];
  const pending: unknown[] = [error];
  const seen = new Set<unknown>();
  while (pending.length > 0) {
    const current = pending.pop();
    if (typeof current !== 'object' || current === null || seen.has(current)) continue;
    seen.add(current);
    const { code, name, cause, errors } = current as {
      code?: unknown;
      name?: unknown;
      cause?: unknown;
      errors?: unknown;
    };
    if (typeof code === 'string') codes.push(code);
    if (typeof name === 'string') codes.push(name);
    pending.push(cause);
    if (Array.isArray(errors)) pending.push(...(errors as unknown[]));
  }
  return codes;
}

function hostOf(url: URL): string {
  return url.hostname;
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}
