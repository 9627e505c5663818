import { sanitiseLine } from '../../../base/sanitise.ts';
import { FAILED, joinParts, MUTED, type Row } from './row.ts';

/** Why there is nothing to show. A failure is never shown as an empty list. */
export function errorRow(id: string, failure: { message: string; hint: string }): Row {
  const label = sanitiseLine(failure.message, 300);
  const hint = sanitiseLine(failure.hint, 300);
  return {
    id,
    label,
    description: hint,
    icon: { id: 'error', color: FAILED },
    contextValue: ';error;',
    accessibleLabel: joinParts([`Error: ${label}`, hint, 'Activate to try again'], ' '),
    children: 'none',
    command: { name: 'refresh', title: 'Retry' },
    tooltip: joinParts([label, hint, 'Click to try again.'], '\n\n'),
  };
}

/** A sentence that stands among rows. */
export function noteRow(id: string, text: string): Row {
  const label = sanitiseLine(text, 300);
  return {
    id,
    label,
    description: '',
    icon: { id: 'info', color: MUTED },
    contextValue: ';note;',
    accessibleLabel: label,
    children: 'none',
    command: null,
    tooltip: label,
  };
}
