import { appendFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseText } from '../../base/sanitise.ts';

const MAX_FILE_BYTES = 256 * 1024 * 1024;

/**
 * transcript.txt, events.jsonl and requests.jsonl of one job. What is known to be secret is replaced before it is written. A full
 * disk never throws from here, deep inside a session or a request: `onFull` hears of it, and the line is missing.
 */
export class JobLogWriter {
  readonly #dir: string;
  readonly #redact: (text: string) => string;
  readonly #onFull: () => void;
  readonly #sizes = new Map<string, number>();
  #seq = 0;

  constructor(dir: string, redact: (text: string) => string, onFull: () => void) {
    this.#dir = dir;
    this.#redact = redact;
    this.#onFull = onFull;
  }

  transcript(line: string): void {
    this.#append('transcript.txt', `${sanitiseText(line).replace(/\n+$/, '')}\n`);
  }

  event(type: string, value: unknown): void {
    this.#seq += 1;
    const line = { v: 1, seq: this.#seq, at: new Date().toISOString(), type, value };
    this.#append('events.jsonl', `${JSON.stringify(line)}\n`);
  }

  request(record: unknown): void {
    this.#append('requests.jsonl', `${JSON.stringify(record)}\n`);
  }

  fullRequest(body: unknown): void {
    this.#append('requests_full.jsonl', `${JSON.stringify(body)}\n`);
  }

  write(name: string, text: string): void {
    this.#unlessFull(() =>
      writeFileSync(join(this.#dir, name), this.#redact(text), { mode: 0o600 }),
    );
  }

  #append(name: string, text: string): void {
    const file = join(this.#dir, name);
    const size = this.#sizes.get(name) ?? (existsSync(file) ? statSync(file).size : 0);
    if (size > MAX_FILE_BYTES) return;
    const line = this.#redact(text);
    this.#unlessFull(() => appendFileSync(file, line, { mode: 0o600 }));
    this.#sizes.set(name, size + Buffer.byteLength(line));
  }

  #unlessFull(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (BridgeError.from(error).kind !== 'storage_full') throw error;
      this.#onFull();
    }
  }
}
