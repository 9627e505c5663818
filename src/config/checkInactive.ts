import { checkFinding, type CheckFinding } from './checkFinding.ts';
import { type ConfigPath, valueAt } from './configPath.ts';
import type { ModelsFile } from './schema.ts';

/** Keys that are understood and checked, but whose feature this version does not have yet. */
export const INACTIVE_PATHS: readonly ConfigPath[] = [
  ['runners', 'codex'],
  ['runners', 'gemini'],
  ['runners', 'dsh'],
  ['fleet'],
  ['router'],
  ['ledger'],
];
const INACTIVE_FACTS: readonly string[] = [
  'input_per_mtok',
  'output_per_mtok',
  'cache_read_per_mtok',
  'cache_write_per_mtok',
  'priced_on',
];

/** Says so, instead of silently doing nothing, where a key has no effect yet. */
export function checkInactive(value: ModelsFile): CheckFinding[] {
  const paths: ConfigPath[] = INACTIVE_PATHS.filter((path) => valueAt(value, path) !== undefined);
  const findings = paths.map((path) => inactive(path, path.at(-1) as string));
  for (const [model, facts] of Object.entries(value.models ?? {})) {
    for (const key of Object.keys(facts)) {
      if (INACTIVE_FACTS.includes(key)) findings.push(inactive(['models', model, key], key));
    }
  }
  return findings;
}

/** Whether the key at a path has no effect yet; a free name in it may be any. */
export function isInactivePath(path: ConfigPath): boolean {
  const [section, , fact] = path;
  if (section === 'models' && path.length === 3) return INACTIVE_FACTS.includes(String(fact));
  return INACTIVE_PATHS.some(
    (known) => known.length === path.length && known.every((key, index) => key === path[index]),
  );
}

function inactive(path: ConfigPath, name: string): CheckFinding {
  const message = `not active: "${name}" is understood but has no effect in this version`;
  return checkFinding('warning', 'not_active', path, message, { at: 'key' });
}
