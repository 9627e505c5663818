import { formatPlural } from '../../protocol/statusLineParts.ts';
import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';
import type { EndpointFacts } from './endpointFacts.ts';

/** An answer that is older than this is said to be old. */
const OLD_MS = 5 * 60_000;

/** The state of an endpoint in one line: `up · 2 models · 4 slots · 12 s ago`. Plain text. */
export function liveLine(facts: EndpointFacts, live: LiveFacts, nowMs: number): string {
  const { probe } = facts;
  const parts =
    probe.state === 'up'
      ? [
          'up',
          ...(probe.lists_models ? [formatPlural(probe.models.length, 'model')] : []),
          ...(probe.slots === null ? [] : [slotsOf(facts)]),
        ]
      : [`down: ${WHY[probe.why ?? ''] ?? 'no answer'}`];
  const age = ageMs(live, nowMs);
  // What was so some time ago is never shown as if it were so now.
  if (age !== null && (age > OLD_MS || live.trouble !== '')) parts[0] = `was ${parts[0] ?? ''}`;
  return [...parts, ...(age === null ? [] : [formatAge(age)])].join(' · ');
}

/** Milliseconds since the endpoints were asked; null: they were not. */
export function ageMs({ asked_at }: Pick<LiveFacts, 'asked_at'>, nowMs: number): number | null {
  return asked_at === null ? null : Math.max(nowMs - Date.parse(asked_at), 0);
}

export function formatAge(age: number): string {
  const seconds = Math.round(age / 1000);
  if (seconds < 2) return 'just now';
  if (seconds < 90) return `${seconds} s ago`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}

const WHY: Readonly<Record<string, string>> = {
  port_closed: 'nothing listens there',
  host_down: 'the machine does not answer',
  timed_out: 'no answer in time',
  wants_key: 'it wants another key',
  loading: 'still loading',
  not_a_model_server: 'no model server',
  error: 'it answers with an error',
};

function slotsOf({ probe }: EndpointFacts): string {
  const { total, busy } = probe.slots ?? { total: 0, busy: null };
  return busy === null ? formatPlural(total, 'slot') : `${busy}/${total} slots busy`;
}
