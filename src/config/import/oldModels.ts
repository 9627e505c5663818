import { isGroup } from '../parts.ts';
import { importName } from './importName.ts';
import { importNote, quoted } from './importNote.ts';

type Group = Record<string, unknown>;

/** Keys of an entry of the pool of models that localagents 0.1.0 had; our own `models` has none of them. */
const POOL_KEYS = ['served_name', 'endpoint', 'bring_up', 'context', 'host', 'tags', 'name'];

/**
 * Takes the pool of models of localagents 0.1.0 (a list, or names with an entry each) apart: addresses become endpoints, windows become
 * facts about the served name. Models are found by asking, so that nothing else of it is needed.
 */
export function oldModels(value: Group): { value: Group; notes: string[] } {
  const pool = value['models'];
  const entries = poolEntries(pool);
  if (entries === null) return { value, notes: [] };
  const notes = ['The list of models was left out: models are found by asking the endpoints.'];
  const endpoints: Group = isGroup(value['endpoints']) ? { ...value['endpoints'] } : {};
  // A map: a model may have any name.
  const facts = new Map<string, Group>();
  for (const { name, entry } of entries) {
    const served = typeof entry['served_name'] === 'string' ? entry['served_name'] : name;
    const { endpoint, context } = entry;
    if (typeof endpoint === 'string' && URL.canParse(endpoint) && /^https?:/i.test(endpoint)) {
      const isKnown = Object.values(endpoints).some(
        (each) => isGroup(each) && each['base_url'] === endpoint,
      );
      const free = importName(name, Object.keys(endpoints));
      if (!isKnown)
        endpoints[free] = {
          base_url: endpoint,
          ...(typeof entry['host'] === 'string' ? { host: entry['host'] } : {}),
          ...(typeof entry['notes'] === 'string' ? { notes: entry['notes'] } : {}),
        };
    }
    if (typeof context === 'number' && Number.isSafeInteger(context) && context > 0)
      facts.set(served, { context_window: context });
    for (const key of ['bring_up', 'env', 'max_turns', 'permission_mode', 'tags'])
      if (entry[key] !== undefined && entry[key] !== null)
        notes.push(importNote(`${key} of the model ${quoted(name)} has no place here.`));
  }
  const { models: _, ...rest } = value;
  return {
    value: {
      ...rest,
      ...(Object.keys(endpoints).length === 0 ? {} : { endpoints }),
      ...(facts.size === 0 ? {} : { models: Object.fromEntries(facts) }),
    },
    notes,
  };
}

/** Null: `models` is nothing of that version. */
function poolEntries(pool: unknown): { name: string; entry: Group }[] | null {
  if (Array.isArray(pool)) {
    return pool.flatMap((item: unknown) => {
      if (typeof item === 'string') return [{ name: item, entry: {} }];
      if (!isGroup(item)) return [];
      const name = item['name'] ?? item['served_name'];
      return typeof name === 'string' ? [{ name, entry: item }] : [];
    });
  }
  if (!isGroup(pool)) return null;
  const entries = Object.entries(pool);
  const isPool = entries.some(
    ([, entry]) => isGroup(entry) && POOL_KEYS.some((key) => Object.hasOwn(entry, key)),
  );
  if (!isPool) return null;
  return entries.flatMap(([name, entry]) => (isGroup(entry) ? [{ name, entry }] : []));
}
