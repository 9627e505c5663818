import { valueAt } from '../../../src/config/configPath.ts';
import type { LiveFacts } from '../../../src/protocol/modelsLanguage/liveFacts.ts';
import { groupOf } from './group.ts';

/** Names that a chain may well mean: what is served, what the file has facts or chains for, and prefixes of pools. */
export function knownModels(values: unknown, live: LiveFacts): string[] {
  const served = live.endpoints.flatMap(({ probe }) => probe.models.map(({ id }) => id));
  const chains = groupOf(valueAt(values, ['failover', 'chains'])) ?? {};
  const named = [
    ...Object.keys(groupOf(valueAt(values, ['models'])) ?? {}),
    ...Object.keys(chains),
    ...Object.values(chains).flatMap(textsOf),
  ];
  const pools = Object.keys(groupOf(valueAt(values, ['pools'])) ?? {}).filter(
    (prefix) => prefix !== 'default',
  );
  return [...new Set([...served.sort(), ...named.sort(), ...pools.sort()])];
}

/** Where a model is served as far as anybody was asked; null: nobody was. */
export function servedAt(model: string, live: LiveFacts): string[] | null {
  if (live.asked_at === null) return null;
  return live.endpoints
    .filter(({ probe }) => probe.models.some(({ id }) => id === model))
    .map(({ name }) => name);
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
