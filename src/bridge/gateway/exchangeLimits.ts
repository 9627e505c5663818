import { BridgeError } from '../../base/bridgeError.ts';

/**
 * The two time limits of one request: silence of the endpoint, and total time. Claude Code's own stream watchdog has a floor
 * of 300 s and undici's are off, so these are the only ones; the error says which of them fired.
 */
export class ExchangeLimits {
  readonly #idle: NodeJS.Timeout;
  readonly #total: NodeJS.Timeout | null;

  /** @param isClientSlow the silence is the client's, which holds the endpoint back. */
  constructor(
    limits: { readonly idleTimeoutMs: number; readonly totalTimeoutMs: number | null },
    isClientSlow: () => boolean,
    onLimit: (error: BridgeError) => void,
  ) {
    this.#idle = setTimeout(() => {
      if (isClientSlow()) this.#idle.refresh();
      else
        onLimit(limitError('idle_timeout', 'The model server sent nothing', limits.idleTimeoutMs));
    }, limits.idleTimeoutMs);
    const { totalTimeoutMs } = limits;
    this.#total =
      totalTimeoutMs === null
        ? null
        : setTimeout(
            () => onLimit(limitError('timeout', 'The request took more than', totalTimeoutMs)),
            totalTimeoutMs,
          );
  }

  /** The endpoint sent something. */
  touch(): void {
    this.#idle.refresh();
  }

  stop(): void {
    clearTimeout(this.#idle);
    if (this.#total !== null) clearTimeout(this.#total);
  }
}

function limitError(kind: 'idle_timeout' | 'timeout', what: string, limitMs: number): BridgeError {
  const seconds = `${limitMs / 1000} s`;
  return kind === 'idle_timeout'
    ? new BridgeError(kind, `${what} for ${seconds}, so the request was ended (idle limit).`)
    : new BridgeError(kind, `${what} ${seconds}, so it was ended (total limit).`);
}
