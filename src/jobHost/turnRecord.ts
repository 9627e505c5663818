import type { ErrorKind } from '../base/bridgeError.ts';
import type { PrefixMeter } from '../bridge/gateway/prefixMeter.ts';
import { newRequestRecord, type RequestRecord } from '../bridge/gateway/requestRecord.ts';
import type { LoopPlace } from '../bridge/runners/loop/loopPlace.ts';
import { turnBody } from '../bridge/runners/loop/wire/turnBody.ts';
import type { TurnRequest, TurnTrace } from '../bridge/runners/loop/wire/turnTypes.ts';

/** One attempt of one turn, as requests.jsonl has the requests of the gateway. */
export function turnRecord(
  place: LoopPlace,
  request: TurnRequest,
  trace: TurnTrace,
  prefix: PrefixMeter,
): RequestRecord {
  const { path, body } = turnBody(place.target, { ...request, hasCacheMarks: false });
  const shared = prefix.measure(body);
  return {
    ...newRequestRecord(path, new Date(Date.now() - trace.msTotal)),
    status: trace.status,
    msFirstByte: trace.msFirstByte,
    msTotal: trace.msTotal,
    // As the gateway counts: in is what is sent to the endpoint, out is what comes back.
    bytesIn: trace.bytesOut,
    bytesOut: trace.bytesIn,
    messages: request.messages.length,
    tools: request.tools.length,
    stream: request.isStreaming,
    modelAsked: request.model,
    modelAnswered: trace.modelServed,
    stopReason: trace.stopReason,
    usage: trace.usage,
    commonPrefixBytes: shared?.commonPrefixBytes ?? null,
    prevBytes: shared?.prevBytes ?? null,
    error: trace.error === null ? null : { kind: errorKind(trace.status), message: trace.error },
  };
}

function errorKind(status: number | null): ErrorKind {
  if (status === null) return 'backend_unreachable';
  return status === 429 || status === 529 ? 'rate_limited' : 'backend_error';
}
