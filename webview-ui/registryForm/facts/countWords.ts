import { formatPlural } from '../../../src/protocol/statusLineParts.ts';
import type { ProblemCount } from './problemPlaces.ts';

/** `2 errors, 1 warning`; empty without any. */
export function countWords({ errors, warnings }: ProblemCount): string {
  return [
    errors === 0 ? null : formatPlural(errors, 'error'),
    warnings === 0 ? null : formatPlural(warnings, 'warning'),
  ]
    .filter((part) => part !== null)
    .join(', ');
}
