import { BridgeError } from '../../base/bridgeError.ts';
import type { RunningServer, ServerState } from './serverState.ts';
import type { UiSession } from './uiSession.ts';

/** A started server. */
export interface ServerConnection {
  readonly server: RunningServer;
  readonly session: UiSession;
  /** Resolves when the server is gone, with a sentence that says how it ended. */
  readonly ended: Promise<string>;
  /** Ends the server; resolves when its process is gone. */
  close(): Promise<void>;
}

export type StartResult =
  | { readonly isStarted: true; readonly connection: ServerConnection }
  | {
      readonly isStarted: false;
      readonly reason: string;
      readonly hint: string;
      /** False where another try would end the same way, as with a missing file. */
      readonly canRetry: boolean;
    };

/** Time as the supervisor sees it; the tests bring their own. */
export interface SupervisorClock {
  nowMs(): number;
  /** Calls `run` once after the delay; the function it returns cancels that. */
  after(delayMs: number, run: () => void): () => void;
}

export interface SupervisorOptions {
  /** Makes a new process and a new client each time: a client whose start failed is never used again. */
  readonly connect: (signal: AbortSignal) => Promise<StartResult>;
  readonly onDidChangeState: (state: ServerState) => void;
  readonly clock: SupervisorClock;
}

const MAX_CRASHES = 5;
const CRASH_WINDOW_MS = 3 * 60_000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 8000;

/** Keeps one server running: starts it, starts it again after a crash with growing pauses, and gives up when it keeps crashing. */
export class ServerSupervisor {
  readonly #options: SupervisorOptions;
  #state: ServerState = { kind: 'stopped' };
  /** Aborted when the server of this life is no longer wanted; what still arrives from it is ignored. */
  #life = new AbortController();
  #starting: Promise<ServerState> | null = null;
  #connection: ServerConnection | null = null;
  #crashTimesMs: number[] = [];
  #cancelRetry: () => void = () => undefined;
  #isDisposed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** The running server's tools; null in every other state. */
  get session(): UiSession | null {
    return this.#connection?.session ?? null;
  }

  /** Starts the server unless it runs; resolves with the state that this leads to. Never rejects. */
  async start(): Promise<ServerState> {
    if (this.#isDisposed || this.#state.kind === 'running') return this.#state;
    if (this.#state.kind === 'failed') this.#crashTimesMs = [];
    return (this.#starting ??= this.#begin());
  }

  /** Ends the server that there is and starts a new one, with a clean crash count. */
  async restart(): Promise<ServerState> {
    await this.stop();
    this.#crashTimesMs = [];
    return this.start();
  }

  /** Resolves when no server process is left. A start in between does not wait for that: servers hold no state. */
  async stop(): Promise<void> {
    this.#life.abort();
    this.#cancelRetry();
    const [starting, connection] = [this.#starting, this.#connection];
    this.#starting = null;
    this.#connection = null;
    if (this.#state.kind !== 'stopped') this.#become({ kind: 'stopped' });
    await starting;
    await connection?.close();
  }

  /** Stops for good. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.stop();
  }

  async #begin(): Promise<ServerState> {
    const life = (this.#life = new AbortController());
    this.#cancelRetry();
    this.#become({ kind: 'starting' });
    const result = await this.#options.connect(life.signal).catch(unexpectedFailure);
    if (life.signal.aborted) {
      if (result.isStarted) await result.connection.close();
      return this.#state;
    }
    this.#starting = null;
    if (result.isStarted) {
      this.#connection = result.connection;
      this.#become({ kind: 'running', server: result.connection.server });
      void result.connection.ended.then((how) => {
        if (!life.signal.aborted) this.#crashed(how, '', true);
      });
    } else {
      this.#crashed(result.reason, result.hint, result.canRetry);
    }
    return this.#state;
  }

  #crashed(reason: string, hint: string, canRetry: boolean): void {
    this.#connection = null;
    const nowMs = this.#options.clock.nowMs();
    this.#crashTimesMs = this.#crashTimesMs.filter((timeMs) => nowMs - timeMs < CRASH_WINDOW_MS);
    const crashes = this.#crashTimesMs.push(nowMs);
    if (!canRetry) {
      this.#become({ kind: 'failed', reason, hint });
    } else if (crashes >= MAX_CRASHES) {
      const fix = 'Its log says more; "Delegate: Restart Server" tries again.';
      this.#become({
        kind: 'failed',
        reason: `${reason} That was time ${crashes} within 3 minutes.`,
        hint: `${hint} ${fix}`.trim(),
      });
    } else {
      const retryInMs = Math.min(FIRST_RETRY_MS * 2 ** (crashes - 1), LONGEST_RETRY_MS);
      this.#become({ kind: 'degraded', reason, retryInMs });
      this.#cancelRetry = this.#options.clock.after(retryInMs, () => void this.start());
    }
  }

  #become(state: ServerState): void {
    this.#state = state;
    this.#options.onDidChangeState(state);
  }
}

function unexpectedFailure(error: unknown): StartResult {
  const { message, hint } = BridgeError.from(error);
  return { isStarted: false, reason: message, hint, canRetry: true };
}
