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

/** A copy without the given parts. Each section is copied once: a hostile file has thousands of broken entries. */
export function withoutParts(value: Group, parts: readonly (readonly string[])[]): Group {
  const copy: Group = { ...value };
  const copied = new Map<string, Group>();
  for (const [section, entry] of parts) {
    if (section === undefined) return {};
    if (entry === undefined) delete copy[section];
    else {
      const inner = ownSection(copy, copied, section);
      if (inner !== null) delete inner[entry];
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
  const copied = new Map<string, Group>();
  for (const [section, entry] of parts) {
    if (section === undefined) return source;
    const from = own(source, section);
    if (from === undefined) continue;
    if (entry === undefined) {
      copy[section] = from;
      copied.delete(section);
    } else if (isGroup(from) && Object.hasOwn(from, entry)) {
      if (!isGroup(copy[section])) copy[section] = {};
      const inner = ownSection(copy, copied, section);
      if (inner !== null) inner[entry] = from[entry];
    }
  }
  return copy;
}

/** A section of `copy` that may be changed; null when it is no group. */
function ownSection(copy: Group, copied: Map<string, Group>, section: string): Group | null {
  const current = copy[section];
  if (!isGroup(current)) return null;
  const known = copied.get(section);
  if (known === current) return known;
  const inner = { ...current };
  copied.set(section, inner);
  copy[section] = inner;
  return inner;
}

export function isGroup(value: unknown): value is Group {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function own(group: Group, key: string): unknown {
  return Object.hasOwn(group, key) ? group[key] : undefined;
}
