import type { Finding } from './describeIssue.ts';
import type { ModelsFile } from './schema.ts';

/** A finding of the checks beyond the schema; the caller knows the file and finds the place. */
export interface CheckFinding extends Finding {
  readonly severity: 'error' | 'warning';
}

/** Every rule that looks at more than one key. `value` is one file, or all layers merged. */
export function checkConfig(value: ModelsFile): CheckFinding[] {
  return [...checkNeededKeys(value)];
}

function checkNeededKeys(value: ModelsFile): CheckFinding[] {
  const findings: CheckFinding[] = [];
  const need = (section: 'endpoints' | 'gates', name: string, key: string) =>
    findings.push({
      path: [section, name],
      at: 'key',
      severity: 'error',
      code: 'missing_key',
      message: `"${section}.${name}" has no "${key}"; it is left out`,
      suggestion: null,
    });
  for (const [name, entry] of Object.entries(value.endpoints ?? {})) {
    if (entry.base_url === undefined) need('endpoints', name, 'base_url');
  }
  for (const [name, entry] of Object.entries(value.gates ?? {})) {
    if (entry.run === undefined) need('gates', name, 'run');
  }
  return findings;
}
