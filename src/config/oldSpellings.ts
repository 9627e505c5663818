import { backendSchema } from './endpointSchema.ts';
import type { Finding } from './describeIssue.ts';
import { isGroup } from './parts.ts';

/**
 * Accepts what files of other tools hold: a `models:` list (ignored: models are probed) and backends in other spellings.
 * Returns the value to check and a warning for each thing accepted.
 */
export function acceptOldSpellings(value: Record<string, unknown>): {
  value: Record<string, unknown>;
  findings: Finding[];
} {
  const findings: Finding[] = [];
  const copy = { ...value };
  if (Array.isArray(copy['models'])) {
    delete copy['models'];
    findings.push({
      path: ['models'],
      at: 'key',
      code: 'old_spelling',
      message:
        '"models" as a list is not used any more: models are found by probing; the list can be removed',
      suggestion: null,
    });
  }
  const endpoints = copy['endpoints'];
  if (isGroup(endpoints)) {
    copy['endpoints'] = Object.fromEntries(
      Object.entries(endpoints).map(([name, entry]) => {
        if (!isGroup(entry) || typeof entry['backend'] !== 'string') return [name, entry];
        const typed = entry['backend'];
        const backend = backendSchema.options.find((option) => bare(option) === bare(typed));
        if (backend === undefined || backend === typed) return [name, entry];
        findings.push({
          path: ['endpoints', name, 'backend'],
          at: 'value',
          code: 'old_spelling',
          message: `"${typed}" is an old spelling`,
          suggestion: backend,
        });
        return [name, { ...entry, backend }];
      }),
    );
  }
  return { value: copy, findings };
}

function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/server$/, '');
}
