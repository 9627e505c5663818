import type { ConfigPath } from './configPath.ts';

/** Sections whose entries stand alone: one broken endpoint does not take the others with it. */
const BY_ENTRY = new Set(['endpoints', 'pools', 'models', 'gates', 'fleet', 'runners']);
/** Sections whose fields stand alone. */
const BY_FIELD = new Set([
  'defaults',
  'failover',
  'review',
  'worktrees',
  'router',
  'retention',
  'ledger',
]);

/** The smallest part of the file that is unusable when the key at `path` is wrong: `[section]` or `[section, entry]`. */
export function partOf(path: ConfigPath): string[] {
  const [section, entry] = path;
  if (section === undefined) return [];
  const name = String(section);
  if (entry !== undefined && (BY_ENTRY.has(name) || BY_FIELD.has(name)))
    return [name, String(entry)];
  return [name];
}

type Group = Record<string, unknown>;

/** A copy without the given parts. */
export function withoutParts(value: Group, parts: readonly (readonly string[])[]): Group {
  const copy: Group = { ...value };
  for (const [section, entry] of parts) {
    if (section === undefined) return {};
    if (entry === undefined) delete copy[section];
    else if (isGroup(copy[section])) {
      const inner = { ...copy[section] };
      delete inner[entry];
      copy[section] = inner;
    }
  }
  return copy;
}

/** The value with each given part taken from `source`, where `source` has it. */
export function withParts(
  value: Group,
  source: Group,
  parts: readonly (readonly string[])[],
): Group {
  const copy: Group = { ...value };
  for (const [section, entry] of parts) {
    if (section === undefined) return source;
    const from = own(source, section);
    if (from === undefined) continue;
    if (entry === undefined) copy[section] = from;
    else if (isGroup(from) && Object.hasOwn(from, entry)) {
      const inner = isGroup(copy[section]) ? copy[section] : {};
      copy[section] = { ...inner, [entry]: from[entry] };
    }
  }
  return copy;
}

export function isGroup(value: unknown): value is Group {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function own(group: Group, key: string): unknown {
  return Object.hasOwn(group, key) ? group[key] : undefined;
}
