import type { Socket } from 'node:net';
import { Agent, type buildConnector } from 'undici';

/** The connections of one dispatcher that are still being made. */
class PendingConnections {
  readonly #sockets = new Set<Socket>();

  watch(connector: buildConnector.connector): buildConnector.connector {
    return (target, callback) => {
      const pending: { socket?: Socket; isSettled: boolean } = { isSettled: false };
      // buildConnector returns the socket at once, though its type does not say so.
      const socket = connector(target, (...result) => {
        pending.isSettled = true;
        if (pending.socket !== undefined) this.#sockets.delete(pending.socket);
        callback(...result);
      }) as unknown as Socket | undefined;
      // A refusal is settled before there is a socket.
      if (socket === undefined || pending.isSettled) return;
      pending.socket = socket;
      this.#sockets.add(socket);
    };
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy(new Error('The dispatcher was closed.'));
  }
}

/**
 * An Agent whose `close` does not wait for connections that are still being made. undici forgets an
 * aborted request only once its connection stands or failed; behind a silent firewall that keeps
 * `close`, and the process, waiting for the connect timeout.
 */
export class PromptlyClosingAgent extends Agent {
  readonly #pending: PendingConnections;

  constructor(options: Agent.Options, connector: buildConnector.connector) {
    const pending = new PendingConnections();
    super({ ...options, connect: pending.watch(connector) });
    this.#pending = pending;
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | void {
    this.#pending.cut();
    return callback === undefined ? super.close() : super.close(callback);
  }

  override destroy(): Promise<void>;
  override destroy(error: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(first?: Error | null | (() => void), second?: () => void): Promise<void> | void {
    this.#pending.cut();
    if (typeof first === 'function') return super.destroy(first);
    return second === undefined
      ? super.destroy(first ?? null)
      : super.destroy(first ?? null, second);
  }
}
