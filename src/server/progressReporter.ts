import type { JobRecord } from '../protocol/job.ts';
import { briefLine } from '../protocol/briefLine.ts';
import { statusLine } from '../protocol/statusLine.ts';

/** Changes that follow each other faster than this are told as one. */
const MIN_GAP_MS = 1_000;

/**
 * Tells a waiting client how its jobs are doing: on change, and at least every `intervalMs`, so that no idle limit of the client
 * fires. Silent when the client gave no progress token.
 */
export class ProgressReporter {
  readonly #send: ((step: number, message: string) => void) | null;
  readonly #now: () => Date;
  readonly #timer: NodeJS.Timeout | null;
  #jobs: readonly JobRecord[] = [];
  #text = '';
  #step = 0;
  #lastSentMs = Number.NEGATIVE_INFINITY;

  constructor(
    send: ((step: number, message: string) => void) | null,
    intervalMs: number,
    now: () => Date,
  ) {
    this.#send = send;
    this.#now = now;
    this.#timer = send === null ? null : setInterval(() => this.#tell(), intervalMs);
  }

  report(jobs: readonly JobRecord[]): void {
    this.#jobs = jobs;
    if (this.#now().getTime() - this.#lastSentMs >= MIN_GAP_MS) this.#tell();
  }

  /** Of what comes fast only the last is told. */
  reportText(text: string): void {
    this.#text = text;
    this.report([]);
  }

  dispose(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  #tell(): void {
    if (this.#send === null || (this.#jobs.length === 0 && this.#text === '')) return;
    const now = this.#now();
    this.#lastSentMs = now.getTime();
    this.#step += 1;
    this.#send(this.#step, this.#jobs.length === 0 ? this.#text : progressText(this.#jobs, now));
  }
}

/** One job: its status line. Several: how many have ended, then each with its brief, in the order given. */
function progressText(jobs: readonly JobRecord[], now: Date): string {
  const [only] = jobs;
  if (jobs.length === 1 && only !== undefined) return statusLine(only, now);
  const ended = jobs.filter((job) => job.finishedAt !== null).length;
  return [
    `${ended}/${jobs.length} ended`,
    ...jobs.map((job) => `${briefLine(job.task, 40)}: ${statusLine(job, now)}`),
  ].join(' | ');
}
