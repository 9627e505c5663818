import { readBridgeEvent } from './readBridgeEvent.ts';
import { readClaudeMessage } from './readClaudeMessage.ts';
import { asNumber, asObject, asText, parseJson } from './jsonValue.ts';
import type { SteppedEvent } from './step.ts';

const UNREADABLE: SteppedEvent = {
  at: null,
  seq: null,
  isNested: false,
  steps: [
    {
      kind: 'mark',
      icon: 'question',
      tone: 'quiet',
      text: 'An entry of the log that cannot be read',
      detail: '',
    },
  ],
};

/**
 * A line of events.jsonl. Kinds that are not known have no steps: a newer bridge or agent may write what this page has not heard of. A line
 * that is no event at all (null: too long) is shown as one that cannot be read, so that nothing is missing in silence.
 */
export function readEvent(line: string | null): SteppedEvent {
  const event = line === null ? null : asObject(parseJson(line));
  if (event === null) return UNREADABLE;
  const at = asText(event['at']);
  const seq = asNumber(event['seq']);
  const value = asObject(event['value']) ?? {};
  if (event['type'] !== 'message')
    return { at, seq, isNested: false, steps: readBridgeEvent(asText(event['type']) ?? '', value) };
  const isNested = asText(value['parent_tool_use_id']) !== null;
  return { at, seq, isNested, steps: readClaudeMessage(value) };
}
