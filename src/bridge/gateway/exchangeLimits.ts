import { BridgeError } from '../../base/bridgeError.ts';

/** The part of Node's timers that limits need. */
export type SetTimer = (
  callback: () => void,
  delayMs: number,
) => { refresh(): unknown; [Symbol.dispose](): void };

/** Node fires timers above this at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The two time limits of one request: silence of the endpoint, and total time. Claude Code's own stream watchdog has a floor
 * of 300 s and undici's are off, so these are the only ones; the error says which of them fired.
 */
export class ExchangeLimits {
  readonly #idle: ReturnType<SetTimer>;
  readonly #total: ReturnType<SetTimer> | null = null;
  #touches = 0;
  #isStopped = false;

  /** @param isClientSlow the silence is the client's, which holds the endpoint back. */
  constructor(
    limits: {
      readonly idleTimeoutMs: number;
      readonly totalTimeoutMs: number | null;
      readonly setTimer?: SetTimer;
    },
    isClientSlow: () => boolean,
    onLimit: (error: BridgeError) => void,
  ) {
    const { idleTimeoutMs, totalTimeoutMs, setTimer = setTimeout } = limits;
    const onIdle = (): void => {
      const touches = this.#touches;
      // On a machine under load the timer can fire while bytes lie unread: they are read before this runs.
      setImmediate(() => {
        if (this.#touches !== touches || this.#isStopped) return;
        if (isClientSlow()) this.#idle.refresh();
        else onLimit(idleError(idleTimeoutMs));
      });
    };
    this.#idle = setTimer(onIdle, Math.min(idleTimeoutMs, MAX_TIMER_MS));
    if (totalTimeoutMs === null) return;
    const onTotal = (): void => onLimit(totalError(totalTimeoutMs));
    this.#total = setTimer(onTotal, Math.min(totalTimeoutMs, MAX_TIMER_MS));
  }

  /** The endpoint sent something. */
  touch(): void {
    this.#touches += 1;
    this.#idle.refresh();
  }

  stop(): void {
    this.#isStopped = true;
    this.#idle[Symbol.dispose]();
    this.#total?.[Symbol.dispose]();
  }
}

function idleError(limitMs: number): BridgeError {
  const message = `The model server sent nothing for ${limitMs / 1000} s (idle limit).`;
  return new BridgeError('idle_timeout', message);
}

function totalError(limitMs: number): BridgeError {
  const message = `The request took more than ${limitMs / 1000} s (total limit).`;
  return new BridgeError('timeout', message);
}
