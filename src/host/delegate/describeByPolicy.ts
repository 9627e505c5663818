import { sanitiseLine } from '../../base/sanitise.ts';
import { escapeIcons } from './escapeIcons.ts';
import type { UiOutcome } from '../bridge/uiSession.ts';

/** Where the policy would send a job now, in a few words; or why nowhere. */
export function describeByPolicy(outcome: UiOutcome<'explain_route'>): string {
  if (!outcome.isOk) return escapeIcons(sanitiseLine(outcome.failure.message, 140));
  const { model, endpoint } = outcome.answer;
  if (endpoint === null) return '';
  const place = model === null ? endpoint : `${model} on ${endpoint}`;
  return `now ${escapeIcons(sanitiseLine(place, 120))}`;
}
