import { BridgeError } from '../../base/bridgeError.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import type { HostLog } from '../bridge/hostLog.ts';
import { isLoopback } from './isRehearsal.ts';
import type { RunningRehearsal } from './rehearsalServer.ts';

export const REHEARSAL_NAME = 'rehearsal';
/** Nothing well known listens there. A registration keeps whatever it was given, so that it stays right. */
const USUAL_PORT = 47_810;
const LOOK_EVERY_MS = 3_000;
const NOTES =
  'Plays a script, needs no model. It runs while a VS Code window has it: "Delegate: Start Rehearsal Server".';

/** `own`: a child of this window; `other`: another window, or a terminal, has it. */
export type RehearsalState = 'off' | 'own' | 'other';

export interface RehearsalOptions {
  readonly link: Pick<BridgeLink, 'call'>;
  /** Starts the child; rejects with `wrong_state` when the port is taken. */
  readonly start: (port: number) => Promise<RunningRehearsal>;
  readonly isRehearsal: (baseUrl: string) => Promise<boolean>;
  readonly log: HostLog;
}

interface Registration {
  readonly baseUrl: string;
  readonly isOurs: boolean;
}

/**
 * The rehearsal server of this machine, as one window sees it: never two, registered as the endpoint `rehearsal` on the port it
 * had before, ended with the window that has it. A window that uses another's takes over when that one is closed.
 */
export class Rehearsal implements Disposable {
  readonly #options: RehearsalOptions;
  readonly #changes: Emitter<RehearsalState>;
  #state: RehearsalState = 'off';
  #child: RunningRehearsal | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #look: NodeJS.Timeout | null = null;
  #isDisposed = false;

  constructor(options: RehearsalOptions) {
    this.#options = options;
    this.#changes = new Emitter((error) => options.log.error(BridgeError.from(error).message));
  }

  get state(): RehearsalState {
    return this.#state;
  }

  readonly onDidChange = (listener: (state: RehearsalState) => void): Disposable =>
    this.#changes.event(listener);

  /** Starts it unless one answers already, and registers it. */
  start(): Promise<{ url: string; state: RehearsalState }> {
    return this.#inTurn(async () => {
      const known = await this.#registration();
      if (known !== null && !isLoopback(known.baseUrl)) {
        throw new BridgeError(
          'wrong_state',
          `The endpoint ${REHEARSAL_NAME} is at ${known.baseUrl}, which is not this machine.`,
          { hint: 'Give that endpoint another name in models.yaml, then try again.' },
        );
      }
      if (this.#child !== null) return { url: this.#child.url, state: this.#state };
      if (known !== null && (await this.#options.isRehearsal(known.baseUrl))) {
        this.#become('other');
        return { url: known.baseUrl, state: this.#state };
      }
      const port = known === null ? USUAL_PORT : Number(URL.parse(known.baseUrl)?.port) || 80;
      const url = await this.#listen(port);
      if (known?.baseUrl !== url) {
        await this.#options.link.call('add_endpoint', {
          ...{ name: REHEARSAL_NAME, baseUrl: url, notes: NOTES },
        });
      }
      return { url, state: this.#state };
    });
  }

  /**
   * Ends it and takes its registration back.
   * @returns what is left of the registration: nothing, or an entry that models.yaml itself has
   * @throws BridgeError wrong_state when another window has it
   */
  stop(): Promise<{ isStillRegistered: boolean }> {
    return this.#inTurn(async () => {
      const known = await this.#registration();
      const isRunning =
        this.#child === null && known !== null && (await this.#options.isRehearsal(known.baseUrl));
      if (isRunning) {
        throw new BridgeError('wrong_state', 'The rehearsal server belongs to another window.', {
          hint: 'Stop it in the window or terminal that has started it.',
        });
      }
      const child = this.#child;
      this.#child = null;
      await child?.stop();
      this.#become('off');
      if (known === null) return { isStillRegistered: false };
      if (!known.isOurs) return { isStillRegistered: true };
      const { isStillThere } = await this.#options.link.call('remove_endpoint', {
        ...{ name: REHEARSAL_NAME, baseUrl: known.baseUrl },
      });
      return { isStillRegistered: isStillThere };
    });
  }

  /** The window closes: its child ends, and the registration stays for the next time. */
  async leave(): Promise<void> {
    this.#isDisposed = true;
    if (this.#look !== null) clearInterval(this.#look);
    this.#look = null;
    const child = this.#child;
    this.#child = null;
    await child?.stop();
  }

  dispose(): void {
    void this.leave();
    this.#changes.dispose();
  }

  /** On the port it had, else, when somebody else has that, on a free one. */
  async #listen(port: number): Promise<string> {
    try {
      return await this.#adopt(await this.#options.start(port));
    } catch (error) {
      if (!BridgeError.is(error, 'wrong_state')) throw error;
      const url = `http://127.0.0.1:${port}`;
      if (await this.#options.isRehearsal(url)) {
        this.#become('other');
        return url;
      }
      this.#options.log.info(`${error.message} A free port is taken.`);
      return this.#adopt(await this.#options.start(0));
    }
  }

  async #adopt(child: RunningRehearsal): Promise<string> {
    if (this.#isDisposed) {
      await child.stop();
      throw new BridgeError('cancelled', 'The window is closing.');
    }
    this.#child = child;
    this.#become('own');
    void child.ended.then(() => {
      if (this.#child !== child) return;
      this.#options.log.warn('The rehearsal server has ended by itself.');
      this.#child = null;
      this.#become('off');
    });
    return child.url;
  }

  async #registration(): Promise<Registration | null> {
    const { endpoints, sidecarFile } = await this.#options.link.call('config_facts', {});
    const found = endpoints.find(({ name }) => name === REHEARSAL_NAME);
    return found === undefined
      ? null
      : { baseUrl: found.baseUrl, isOurs: found.source === sidecarFile };
  }

  #become(state: RehearsalState): void {
    if (this.#isDisposed) return;
    if (state === 'other') {
      this.#look ??= setInterval(() => void this.#takeOver(), LOOK_EVERY_MS);
    } else if (this.#look !== null) {
      clearInterval(this.#look);
      this.#look = null;
    }
    if (state === this.#state) return;
    this.#state = state;
    this.#changes.fire(state);
  }

  /** The window that had it is gone: this one has it from now on, unless it was stopped for good. */
  async #takeOver(): Promise<void> {
    try {
      const known = await this.#registration();
      if (known === null) this.#become('off');
      else if (!(await this.#options.isRehearsal(known.baseUrl)) && this.#state === 'other')
        await this.start();
    } catch (error) {
      this.#options.log.warn(`Rehearsal server: ${BridgeError.from(error).message}`);
      this.#become('off');
    }
  }

  /** One after the other: a start and a stop that overlap would leave something behind. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work, work);
    this.#work = done.catch(() => undefined);
    return done;
  }
}
