import { checkFinding, type CheckFinding } from './checkFinding.ts';
import { type ConfigPath, valueAt } from './configPath.ts';
import type { ModelsFile } from './schema.ts';

/** Keys that are understood and checked, but whose feature this version does not have yet. */
export const INACTIVE_PATHS: readonly ConfigPath[] = [
  ['failover'],
  ['runners', 'loop'],
  ['runners', 'codex'],
  ['runners', 'gemini'],
  ['runners', 'dsh'],
  ['fleet'],
  ['router'],
  ['ledger'],
];
const ACTIVE_FACTS: readonly string[] = ['format', 'answers_as', 'context_window'];

/** Says so, instead of silently doing nothing, where a key has no effect yet. */
export function checkInactive(value: ModelsFile): CheckFinding[] {
  const paths: ConfigPath[] = INACTIVE_PATHS.filter((path) => valueAt(value, path) !== undefined);
  const findings = paths.map((path) => inactive(path, path.at(-1) as string));
  for (const [model, facts] of Object.entries(value.models ?? {})) {
    for (const key of Object.keys(facts)) {
      if (!ACTIVE_FACTS.includes(key)) findings.push(inactive(['models', model, key], key));
    }
  }
  if (value.defaults?.runner === 'loop')
    findings.push(inactive(['defaults', 'runner'], 'runner: loop'));
  if (value.secrets === 'keychain') {
    findings.push(inactive(['secrets'], 'secrets: keychain', 'the secret file is used'));
  }
  return findings;
}

function inactive(path: ConfigPath, name: string, instead?: string): CheckFinding {
  const message = `not active: "${name}" is understood but has no effect in this version`;
  return checkFinding(
    'warning',
    'not_active',
    path,
    instead === undefined ? message : `${message}; ${instead}`,
    { at: 'key' },
  );
}
