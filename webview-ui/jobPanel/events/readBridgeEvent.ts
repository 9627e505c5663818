import { formatCount, formatDuration } from '../../../src/protocol/statusLineParts.ts';
import { asNumber, asObject, asText, type JsonObject } from './jsonValue.ts';
import type { Mark, Step } from './step.ts';

/** Steps that the bridge itself has noted: where the job started, what the endpoint refused, what the gate said. */
export function readBridgeEvent(type: string, value: JsonObject): Step[] {
  switch (type) {
    case 'start':
      return readStart(value);
    case 'backend':
      return [readBackend(value)];
    case 'repair':
      return [readRepair(value)];
    case 'gate':
      return [readGate(value)];
    default:
      return [];
  }
}

function readStart(value: JsonObject): Step[] {
  const model = asText(value['model']) ?? 'a model';
  const window = asNumber(value['context']);
  const start: Mark = {
    kind: 'mark',
    icon: 'play',
    tone: 'quiet',
    text: `Started on ${asText(value['endpoint']) ?? 'an endpoint'} with ${model}${window === null ? '' : `, window ${formatCount(window)}`}`,
    detail: '',
  };
  const fallback = asObject(value['fallback']);
  if (fallback === null) return [start];
  const from = asText(fallback['from']) ?? 'what was asked for';
  const to = asText(fallback['to']) ?? model;
  return [
    {
      kind: 'mark',
      icon: 'arrow-swap',
      tone: 'attention',
      text: `Fallback from ${from} to ${to}`,
      detail: asText(fallback['reason']) ?? '',
    },
    start,
  ];
}

function readBackend(value: JsonObject): Mark {
  const message = asText(value['message']) ?? '';
  return {
    kind: 'mark',
    icon: 'warning',
    tone: 'attention',
    text: `The endpoint answered ${asNumber(value['status']) ?? 'with an error'}${message === '' ? '' : `: ${message}`}`,
    detail: '',
  };
}

function readRepair(value: JsonObject): Mark {
  const of = asNumber(value['of']);
  return {
    kind: 'mark',
    icon: 'tools',
    tone: 'attention',
    text: `Repair round ${asNumber(value['round']) ?? '?'}${of === null ? '' : ` of ${of}`}: the gate's output went back to the model`,
    detail: '',
  };
}

function readGate(value: JsonObject): Mark {
  const status = asText(value['status']) ?? 'ended';
  const exit = asNumber(value['exit']);
  const durationS = asNumber(value['duration_s']);
  const facts = [
    exit === null ? null : `exit ${exit}`,
    durationS === null ? null : formatDuration(durationS),
  ].filter((fact) => fact !== null);
  return {
    kind: 'mark',
    icon: status === 'passed' ? 'pass' : 'error',
    tone: status === 'passed' ? 'good' : 'bad',
    text: `Gate ${asText(value['name']) ?? ''} ${status}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`,
    detail: '',
  };
}
