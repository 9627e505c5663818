import type { ServedFacts } from '../../config/checkServed.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';
import { endpointFacts } from './endpointFacts.ts';

/** Older answers say nothing about what a server offers now. */
export const FRESH_MS = 5 * 60_000;

/** What the checks may know of the servers: only answers that are new, and of the very addresses of the configuration. */
export function servedFacts(
  { config }: Pick<LoadedConfig, 'config'>,
  live: LiveFacts,
  nowMs: number,
): ServedFacts[] {
  if (live.asked_at === null || nowMs - Date.parse(live.asked_at) > FRESH_MS) return [];
  return Object.entries(config.endpoints).flatMap(([name, { base_url }]) => {
    const facts = endpointFacts(live, name, base_url);
    if (facts === null || facts.probe.state !== 'up') return [];
    return [
      {
        endpoint: name,
        slots: facts.probe.slots?.total ?? null,
        models: facts.probe.models.map(({ id, context }) => ({ id, window: context })),
      },
    ];
  });
}
