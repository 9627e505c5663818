import { valueAt } from '../../../src/config/configPath.ts';
import { globScore } from '../../../src/config/modelMatch.ts';
import type { LiveFacts } from '../../../src/protocol/modelsLanguage/liveFacts.ts';
import { groupOf } from './group.ts';

/** What would miss an endpoint: sentences without an end. `values` is the file, `inherited` what counts beside it. */
export function dependents(
  name: string,
  values: unknown,
  inherited: unknown,
  live: LiveFacts,
): string[] {
  const onlyHere = modelsOnlyAt(name, live);
  return [
    ...rolesOf(name, values, inherited),
    ...defaultModel(values, inherited, onlyHere),
    ...chainsThrough(values, onlyHere),
  ];
}

function rolesOf(name: string, values: unknown, inherited: unknown): string[] {
  const roles = {
    ...groupOf(valueAt(inherited, ['fleet'])),
    ...groupOf(valueAt(values, ['fleet'])),
  };
  return Object.entries(roles)
    .filter(([, role]) => valueAt(role, ['endpoint']) === name)
    .map(([role]) => `the role ${role} of the fleet runs on it`);
}

function defaultModel(values: unknown, inherited: unknown, onlyHere: readonly string[]): string[] {
  const path = ['defaults', 'model'];
  const model = valueAt(values, path) ?? valueAt(inherited, path);
  if (typeof model !== 'string' || model === '') return [];
  return onlyHere.some((id) => globScore(model, id) >= 0)
    ? [`the default model ${model} is served nowhere else`]
    : [];
}

function chainsThrough(values: unknown, onlyHere: readonly string[]): string[] {
  const chains = groupOf(valueAt(values, ['failover', 'chains'])) ?? {};
  return Object.entries(chains).flatMap(([origin, members]) =>
    (Array.isArray(members) ? members : [])
      .filter((member) => typeof member === 'string' && onlyHere.includes(member))
      .map((member) => `the chain of ${origin} names ${member}, which is served nowhere else`),
  );
}

/** Models that this endpoint served when it was asked, and no other one. */
function modelsOnlyAt(name: string, live: LiveFacts): string[] {
  const idsOf = (each: LiveFacts['endpoints'][number]): string[] =>
    each.probe.models.map(({ id }) => id);
  const elsewhere = new Set(live.endpoints.filter((each) => each.name !== name).flatMap(idsOf));
  return live.endpoints
    .filter((each) => each.name === name)
    .flatMap(idsOf)
    .filter((id) => !elsewhere.has(id));
}
