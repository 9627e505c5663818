import { AwakeTimer } from '../base/awakeTimer.ts';
import type { Failure } from '../protocol/job.ts';

export interface Stop {
  readonly status: 'cancelled' | 'timeout' | 'lost' | 'failed';
  readonly failure: Failure;
}

/** Why a job is to end before it is done: a cancel, its own time limits. The first reason stays. */
export class StopSignal {
  readonly #controller = new AbortController();
  readonly #total: AwakeTimer;
  readonly #idle: AwakeTimer;
  #stop: Stop | null = null;

  constructor(limits: { timeoutS: number; idleTimeoutS: number }) {
    this.#total = new AwakeTimer(limits.timeoutS * 1000, () =>
      this.raise({
        status: 'timeout',
        failure: {
          kind: 'timeout',
          message: `The job reached its time limit of ${limits.timeoutS} s.`,
          hint: 'Raise timeout_s, or split the task. What it did is kept.',
        },
      }),
    );
    this.#idle = new AwakeTimer(limits.idleTimeoutS * 1000, () =>
      this.raise({
        status: 'timeout',
        failure: {
          kind: 'idle_timeout',
          message: `Nothing came from the model or its tools for ${limits.idleTimeoutS} s.`,
          hint: 'Look at the log of the model server; raise idle_timeout_s if it is only slow.',
        },
      }),
    );
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get stop(): Stop | null {
    return this.#stop;
  }

  /** Something happened: the idle limit counts anew. */
  activity(): void {
    this.#idle.restart();
  }

  raise(stop: Stop): void {
    if (this.#stop !== null) return;
    this.#stop = stop;
    this.dispose();
    this.#controller.abort();
  }

  dispose(): void {
    this.#total.dispose();
    this.#idle.dispose();
  }
}
