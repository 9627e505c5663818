import { BridgeError, type ErrorKind } from '../../base/bridgeError.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { UiAnswer, UiArgs, UiToolName } from '../../protocol/ui/uiTools.ts';
import type { HostLog } from './hostLog.ts';
import { describeServerState, type ServerState } from './serverState.ts';
import type { ServerSupervisor } from './serverSupervisor.ts';
import type { UiOutcome, UiSession } from './uiSession.ts';

interface Subscription {
  readonly uri: string;
  readonly listener: () => void;
}

/**
 * The server as the rest of the extension sees it: it outlives the processes behind it. Calls go to the server that runs now,
 * and start it when it is stopped; subscriptions are made again at each new server, whose start counts as a change.
 */
export class BridgeLink implements Disposable {
  readonly #supervisor: () => ServerSupervisor;
  readonly #log: HostLog;
  readonly #states: Emitter<ServerState>;
  readonly #subscriptions = new Set<Subscription>();
  /** What the present server has been asked to tell about. */
  #subscribed = new Set<string>();
  #session: UiSession | null = null;

  /** The supervisor is asked for when it is needed: it and the link know each other. */
  constructor(supervisor: () => ServerSupervisor, log: HostLog) {
    this.#supervisor = supervisor;
    this.#log = log;
    this.#states = new Emitter((error) => log.error(BridgeError.from(error).message));
  }

  get state(): ServerState {
    return this.#supervisor().state;
  }

  readonly onDidChangeState = (listener: (state: ServerState) => void): Disposable =>
    this.#states.event(listener);

  /** For the supervisor: the state it has reached. */
  stateChanged(state: ServerState): void {
    const session = state.kind === 'running' ? this.#supervisor().session : null;
    const isNew = session !== null && session !== this.#session;
    this.#session = session;
    if (isNew) {
      this.#subscribed = new Set();
      for (const subscription of this.#subscriptions) {
        this.#subscribeOnce(session, subscription.uri);
        subscription.listener();
      }
    }
    this.#states.fire(state);
  }

  /** For the session: a resource has changed. */
  resourceUpdated(uri: string): void {
    for (const subscription of [...this.#subscriptions]) {
      if (subscription.uri === uri) subscription.listener();
    }
  }

  /**
   * Calls a tool and returns its answer.
   * @throws BridgeError what the engine refuses, with its kind; `server_unavailable` when no server answers
   */
  async call<Name extends UiToolName>(
    name: Name,
    args: UiArgs<Name>,
    signal?: AbortSignal,
  ): Promise<UiAnswer<Name>> {
    const outcome = await this.tryCall(name, args, signal);
    if (outcome.isOk) return outcome.answer;
    const { kind, message, hint } = outcome.failure;
    throw new BridgeError(kind as ErrorKind, message, { hint });
  }

  /**
   * As `call`, with what the engine refuses as an outcome.
   * @throws BridgeError `server_unavailable` when no server answers, `cancelled` when the signal was aborted
   */
  async tryCall<Name extends UiToolName>(
    name: Name,
    args: UiArgs<Name>,
    signal?: AbortSignal,
  ): Promise<UiOutcome<Name>> {
    const session = this.#session ?? (await this.#started());
    try {
      return await session.call(name, args, signal);
    } catch (error) {
      if (signal?.aborted === true) throw new BridgeError('cancelled', 'The call was cancelled.');
      if (session === this.#session) throw BridgeError.from(error);
      throw unavailable('The server ended during the call.', 'Try again in a moment.');
    }
  }

  /** Calls the listener at each change of a resource, and when a new server has started: what was known may be old then. */
  subscribe(uri: string, listener: () => void): Disposable {
    const subscription = { uri, listener };
    this.#subscriptions.add(subscription);
    if (this.#session !== null) this.#subscribeOnce(this.#session, uri);
    return {
      dispose: () => {
        this.#subscriptions.delete(subscription);
        if ([...this.#subscriptions].some((other) => other.uri === uri)) return;
        const session = this.#session;
        if (session === null || !this.#subscribed.delete(uri)) return;
        this.#inBackground(session.unsubscribe(uri));
      },
    };
  }

  dispose(): void {
    this.#subscriptions.clear();
    this.#states.dispose();
  }

  #subscribeOnce(session: UiSession, uri: string): void {
    if (this.#subscribed.has(uri)) return;
    this.#subscribed.add(uri);
    this.#inBackground(session.subscribe(uri));
  }

  #inBackground(work: Promise<void>): void {
    const session = this.#session;
    work.catch((error: unknown) => {
      // A server that is gone has told so already.
      if (session === this.#session) this.#log.warn(BridgeError.from(error).message);
    });
  }

  async #started(): Promise<UiSession> {
    const supervisor = this.#supervisor();
    const { kind } = supervisor.state;
    const state =
      kind === 'stopped' || kind === 'starting' ? await supervisor.start() : supervisor.state;
    const { session } = supervisor;
    if (state.kind === 'running' && session !== null) return session;
    throw unavailable(describeServerState(state), 'Run "Delegate: Restart Server".');
  }
}

function unavailable(message: string, hint: string): BridgeError {
  return new BridgeError('server_unavailable', message, { hint });
}
