import { isSameServer } from '../../config/serverRoot.ts';
import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';

export type EndpointFacts = LiveFacts['endpoints'][number];

/** What is known of an endpoint; null when nobody asked the address that the document says. */
export function endpointFacts(
  live: LiveFacts,
  name: string,
  baseUrl: string | undefined,
): EndpointFacts | null {
  if (live.asked_at === null || baseUrl === undefined) return null;
  const facts = live.endpoints.find((each) => each.name === name);
  return facts !== undefined && isSameServer(facts.base_url, baseUrl) ? facts : null;
}
