import { LineReader } from '../events/lineReader.ts';
import { asNumber, asObject, asText, type JsonObject, parseJson } from '../events/jsonValue.ts';

/** What one request to the endpoint tells for the charts. Unknown is null. */
export interface RequestPoint {
  readonly at: string | null;
  /** Tokens in the model's window after its answer. */
  readonly contextUsed: number | null;
  readonly tokensPerS: number | null;
  readonly firstTokenMs: number | null;
  readonly outputTokens: number | null;
}

const MAX_POINTS = 2000;

/** The requests of a job, from the pages of requests.jsonl: the newest ones, those that a model answered. */
export class RequestPoints {
  #lines = new LineReader();
  #points: RequestPoint[] = [];

  get points(): readonly RequestPoint[] {
    return this.#points;
  }

  restart(): void {
    this.#lines = new LineReader();
    this.#points = [];
  }

  append(text: string): void {
    for (const line of this.#lines.push(text)) {
      const record = line === null ? null : asObject(parseJson(line));
      const point = record === null ? null : toPoint(record);
      if (point !== null) this.#points.push(point);
    }
    this.#points = this.#points.slice(-MAX_POINTS);
  }
}

function toPoint(record: JsonObject): RequestPoint | null {
  const status = asNumber(record['status']);
  const isMessage = /^\/v1\/messages(\?|$)/.test(asText(record['path']) ?? '');
  // A request without tools asks for a title or the like: it is none of the session's turns.
  if (!isMessage || status !== 200 || asNumber(record['tools']) === 0) return null;
  const usage = asObject(record['usage']) ?? {};
  const input = asNumber(usage['input']);
  const output = asNumber(usage['output']);
  const cached = (asNumber(usage['cache_read']) ?? 0) + (asNumber(usage['cache_write']) ?? 0);
  const firstTokenMs = asNumber(record['ms_first_byte']);
  return {
    at: asText(record['t']),
    contextUsed: input === null ? null : input + cached + (output ?? 0),
    tokensPerS: speedOf(output, firstTokenMs, asNumber(record['ms_total'])),
    firstTokenMs,
    outputTokens: output,
  };
}

/** As the receipt counts it: output between the first byte and the last. */
function speedOf(
  output: number | null,
  firstMs: number | null,
  totalMs: number | null,
): number | null {
  if (output === null || output < 2 || firstMs === null || totalMs === null) return null;
  const generatingMs = totalMs - firstMs;
  return generatingMs < 1 ? null : (output / generatingMs) * 1000;
}
