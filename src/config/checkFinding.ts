import type { ConfigPath } from './configPath.ts';
import type { Finding } from './describeIssue.ts';

/** A finding of the checks beyond the schema; the caller knows the file and finds the place. */
export interface CheckFinding extends Finding {
  readonly severity: 'error' | 'warning';
}

export function checkFinding(
  severity: 'error' | 'warning',
  code: string,
  path: ConfigPath,
  message: string,
  options: { at?: 'key' | 'value'; suggestion?: string } = {},
): CheckFinding {
  return {
    severity,
    code,
    path,
    message,
    at: options.at ?? 'value',
    suggestion: options.suggestion ?? null,
  };
}
