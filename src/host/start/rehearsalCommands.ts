import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { setContext } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { isRehearsal } from './isRehearsal.ts';
import { Rehearsal, REHEARSAL_NAME } from './rehearsal.ts';
import { rehearsalCommandLine } from './rehearsalCommandLine.ts';
import { startRehearsalServer } from './rehearsalServer.ts';
import { withProgress } from './withProgress.ts';

/** In the workspace's state: this window had started it, so it comes back with the window. */
const WANTED = 'rehearsalWanted';

/** The rehearsal server of this window, and what a person can do with it. */
export class RehearsalCommands implements vscode.Disposable {
  readonly #parts: HostParts;
  readonly #rehearsal: Rehearsal;
  readonly #subscription: { dispose(): void };

  constructor(parts: HostParts) {
    this.#parts = parts;
    const { link, log, context } = parts;
    this.#rehearsal = new Rehearsal({
      ...{ link, log, isRehearsal },
      start: (port) => startRehearsalServer(rehearsalCommandLine(context.extensionPath), port, log),
    });
    void setContext('rehearsalState', 'off');
    this.#subscription = this.#rehearsal.onDidChange((state) => {
      void setContext('rehearsalState', state);
      void parts.overview.refresh();
    });
    parts.farewells.push(() => this.#rehearsal.leave());
  }

  /** @returns its address */
  readonly start = async (): Promise<string> => {
    const { url, state } = await withProgress('Starting the rehearsal server', () =>
      this.#rehearsal.start(),
    );
    const { context, overview, steps } = this.#parts;
    await context.workspaceState.update(WANTED, state === 'own' ? true : undefined);
    await Promise.all([overview.refresh(), steps.refresh()]);
    void vscode.window.showInformationMessage(
      state === 'own'
        ? `The rehearsal server runs at ${url} as the endpoint ${REHEARSAL_NAME}, until this window is closed.`
        : `A rehearsal server runs at ${url} already; this window uses it too.`,
    );
    return url;
  };

  readonly stop = async (): Promise<void> => {
    const { isStillRegistered } = await this.#rehearsal.stop();
    const { context, overview, steps } = this.#parts;
    await context.workspaceState.update(WANTED, undefined);
    await Promise.all([overview.refresh(), steps.refresh()]);
    void vscode.window.showInformationMessage(
      isStillRegistered
        ? `The rehearsal server is stopped. models.yaml still names the endpoint ${REHEARSAL_NAME}.`
        : `The rehearsal server is stopped and the endpoint ${REHEARSAL_NAME} removed.`,
    );
  };

  /** After a reload of the window: jobs may be waiting for it. */
  async resume(): Promise<void> {
    const { context, log } = this.#parts;
    if (!vscode.workspace.isTrusted || context.workspaceState.get(WANTED) !== true) return;
    try {
      await this.#rehearsal.start();
    } catch (error) {
      log.warn(`The rehearsal server was not started again: ${BridgeError.from(error).message}`);
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#rehearsal.dispose();
  }
}
