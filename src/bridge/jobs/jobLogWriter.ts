import { appendFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sanitiseText } from '../../base/sanitise.ts';

const MAX_FILE_BYTES = 256 * 1024 * 1024;

/**
 * transcript.txt, events.jsonl and requests.jsonl of one job. What is known to be secret is replaced before it is written.
 */
export class JobLogWriter {
  readonly #dir: string;
  readonly #redact: (text: string) => string;
  readonly #sizes = new Map<string, number>();
  #seq = 0;

  constructor(dir: string, redact: (text: string) => string) {
    this.#dir = dir;
    this.#redact = redact;
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
    writeFileSync(join(this.#dir, name), this.#redact(text), { mode: 0o600 });
  }

  #append(name: string, text: string): void {
    const file = join(this.#dir, name);
    const size = this.#sizes.get(name) ?? (existsSync(file) ? statSync(file).size : 0);
    if (size > MAX_FILE_BYTES) return;
    const line = this.#redact(text);
    appendFileSync(file, line, { mode: 0o600 });
    this.#sizes.set(name, size + Buffer.byteLength(line));
  }
}
