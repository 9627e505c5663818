import { BridgeError } from '../base/bridgeError.ts';
import { sanitiseLine } from '../base/sanitise.ts';
import type { JobRecord } from '../protocol/job.ts';
import type { JobLogWriter } from '../bridge/jobs/jobLogWriter.ts';
import type { JobStore } from '../bridge/jobs/jobStore.ts';
import type { RunnerEnd, RunnerEvent } from '../bridge/runners/runner.ts';
import { mapStrings } from './mapStrings.ts';

const FLUSH_MS = 250;
const ACTIVE_GAP_MS = 1_000;
const ACTIVITY_LENGTH = 200;
const MAX_RESULT_LENGTH = 64 * 1024;
const MAX_CLAIMED_FILES = 500;

/** Turns what a runner reports into the record (at most four commits a second), the transcript and events.jsonl. */
export class JobProgress {
  readonly #store: JobStore;
  readonly #jobId: string;
  readonly #log: JobLogWriter;
  readonly #redact: (text: string) => string;
  readonly #onFull: () => void;
  #pending: ((record: JobRecord) => JobRecord)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #activeMs = Number.NEGATIVE_INFINITY;

  /**
   * `redact` replaces what is known to be secret: servers repeat the key they were sent, shells print their environment.
   * `onFull`: the disk is full; what could not be written is kept for the next time.
   */
  constructor(options: {
    store: JobStore;
    jobId: string;
    log: JobLogWriter;
    redact: (text: string) => string;
    onFull: () => void;
  }) {
    this.#store = options.store;
    this.#jobId = options.jobId;
    this.#log = options.log;
    this.#redact = options.redact;
    this.#onFull = options.onFull;
  }

  onEvent(said: RunnerEvent): void {
    // Before anything is cut to its length: half a key is not recognised. The log does the same to a raw message as a whole.
    const event =
      said.type === 'raw'
        ? said
        : ({ ...mapStrings(said, this.#redact), type: said.type } as RunnerEvent);
    switch (event.type) {
      case 'session':
        this.#log.transcript(`[init] session=${event.sessionId} model=${event.model ?? '?'}`);
        this.change((record) => ({ ...record, sessionId: event.sessionId }));
        break;
      case 'assistant':
        this.#log.transcript(`[assistant] ${event.text}`);
        this.#activity(event.text);
        break;
      case 'thinking':
        this.#log.transcript(`[thinking] ${event.text.slice(0, 500)}`);
        this.#activity('thinking');
        break;
      case 'tool':
        this.#onTool(event.name, event.input);
        break;
      case 'tool_result':
        this.#log.transcript(
          `[result${event.isError ? ' ERROR' : ''}] ${event.text.slice(0, 300)}`,
        );
        break;
      case 'command':
        this.change((record) => ({
          ...record,
          commands: {
            run: record.commands.run + 1,
            failed: record.commands.failed + (event.isError ? 1 : 0),
            lastExit: event.exit,
          },
        }));
        break;
      case 'file_claimed':
        this.change((record) =>
          record.filesClaimed.includes(event.path) ||
          record.filesClaimed.length >= MAX_CLAIMED_FILES
            ? record
            : { ...record, filesClaimed: [...record.filesClaimed, event.path] },
        );
        break;
      case 'turn':
        this.change((record) => ({ ...record, turns: event.turns }));
        break;
      case 'usage':
        this.change((record) => ({
          ...record,
          usage: event.usage,
          context: { ...record.context, used: event.contextUsed ?? record.context.used },
        }));
        break;
      case 'retry':
        this.#log.transcript(
          `[retry ${event.count}] ${event.reason}${event.inS === null ? '' : ` in ${event.inS} s`}`,
        );
        this.change((record) => ({ ...record, retry: { count: event.count, inS: event.inS } }));
        this.#activity(`retry ${event.count}: ${event.reason}`);
        break;
      case 'mark':
        this.#log.transcript(`[mark] ${event.text}`);
        break;
      case 'stderr':
        this.#log.transcript(`[stderr] ${event.line}`);
        break;
      case 'raw':
        this.#log.event('message', event.value);
        break;
      case 'end':
        this.#onEnd(event.end);
        break;
    }
  }

  /** Something comes from the model, piece by piece: said at most once a second, so that a long answer does not look stalled. */
  active(text: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#activeMs < ACTIVE_GAP_MS) return;
    this.#activeMs = nowMs;
    this.#activity(text);
  }

  change(change: (record: JobRecord) => JobRecord): void {
    this.#pending.push(change);
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  /** Writes at once what is pending and one change more. */
  update(change: (record: JobRecord) => JobRecord): void {
    this.flush();
    this.#store.update(this.#jobId, (record) => this.#redacted(change(record)));
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const changes = this.#pending;
    this.#pending = [];
    if (changes.length === 0) return;
    try {
      this.#store.update(this.#jobId, (record) =>
        changes.reduce((present, change) => change(present), record),
      );
    } catch (error) {
      if (BridgeError.from(error).kind !== 'storage_full') throw error;
      this.#pending = [...changes, ...this.#pending];
      this.#onFull();
    }
  }

  /** What others have worded; ids, names and addresses stay what they are. */
  #redacted(record: JobRecord): JobRecord {
    const { failure, warnings, gate, result, tampered } = record;
    return {
      ...record,
      ...mapStrings({ failure, warnings, result, tampered }, this.#redact),
      gate: gate && { ...gate, tail: this.#redact(gate.tail) },
    };
  }

  #onTool(name: string, input: unknown): void {
    const shown = JSON.stringify(input) ?? '';
    this.#log.transcript(`[tool] ${name} ${shown.slice(0, 400)}`);
    this.change((record) => ({ ...record, toolCalls: record.toolCalls + 1 }));
    this.#activity(`${name} ${shown.slice(0, 120)}`);
  }

  #onEnd(end: RunnerEnd): void {
    this.#log.transcript(
      `[done] ${end.failure === null ? 'ok' : `${end.failure.kind}: ${end.failure.message}`} turns=${end.turns ?? '?'}`,
    );
    const text = end.text;
    if (text !== null) this.#log.write('result.md', text);
    this.change((record) => ({
      ...record,
      turns: end.turns ?? record.turns,
      stopReason: end.stopReason,
      exitCode: end.exitCode,
      usage: end.usage ?? record.usage,
      result: text === null ? null : text.slice(0, MAX_RESULT_LENGTH),
      resultTruncated: text !== null && text.length > MAX_RESULT_LENGTH,
      resultBytes: text === null ? null : Buffer.byteLength(text),
      warnings: [...record.warnings, ...end.warnings],
    }));
  }

  #activity(text: string): void {
    const at = new Date().toISOString();
    const line = sanitiseLine(text, ACTIVITY_LENGTH);
    this.change((record) => ({ ...record, lastActivity: { at, text: line } }));
  }
}
