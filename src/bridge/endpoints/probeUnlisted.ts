import { apiUrl } from './apiUrl.ts';
import type { EndpointProbe } from './endpointProbe.ts';
import type { EndpointTarget } from './endpointTarget.ts';
import { exchange, type Reply } from './exchange.ts';
import { explainReply } from './explainFailure.ts';
import { asObject } from './jsonValue.ts';
import { probeEndpoint, type ProbeOptions } from './probeEndpoint.ts';
import { redact } from './redact.ts';

/** An empty request is refused by whoever understands it, so that no server can take it for something to do. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 422]);

/**
 * A server that lists no models, asked whether it takes messages as Anthropic's API does: it refuses an empty one in the words of an
 * API. Null when it does not, or gives no answer.
 * @param target with backend `anthropic`
 * @param asked what the same server said as a server of unknown kind
 */
export async function probeUnlisted(
  target: EndpointTarget,
  asked: EndpointProbe,
  options: ProbeOptions,
): Promise<EndpointProbe | null> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal =
    options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  const path = '/v1/messages';
  let reply: Reply;
  try {
    reply = await exchange(target, { path, method: 'POST', body: {}, signal, maxBytes: 65_536 });
  } catch {
    // What it said to the first question stands; whoever cancelled is told by the next step.
    return null;
  }
  if (!REFUSALS.has(reply.status) || asObject(asObject(reply.json)?.['error']) === null)
    return null;
  if (reply.status !== 401 && reply.status !== 403) return probeEndpoint(target, options);
  const words = explainReply(reply, apiUrl(target.baseUrl, path));
  return {
    ...asked,
    ...words,
    message: redact(words.message, target),
    backend: target.backend,
  };
}
