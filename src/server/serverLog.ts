import type { Writable } from 'node:stream';

export type LogLevel = 'info' | 'warning' | 'error';

/** One JSON object per line: `{level, time, component, message, job_id?}`. Never with arguments of a call: they may hold secrets. */
export class ServerLog {
  readonly #out: Pick<Writable, 'write'>;
  readonly #now: () => Date;

  constructor(out: Pick<Writable, 'write'>, now: () => Date) {
    this.#out = out;
    this.#now = now;
  }

  write(level: LogLevel, component: string, message: string, jobId?: string): void {
    const line = { level, time: this.#now().toISOString(), component, message, job_id: jobId };
    this.#out.write(`${JSON.stringify(line)}\n`);
  }
}
