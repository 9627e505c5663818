import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { SCHEMES, setContext } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { JobsModel } from '../jobs/jobsModel.ts';
import { workspaceFolder } from '../workspaceFolder.ts';
import { stepsDone } from './stepsDone.ts';

/** Kept over restarts: nothing in the store says that somebody has looked. */
const SEEN = 'hasSeenChange';
const CONFIG_FILE = /[/\\]models(\.local)?\.yaml$/;

/**
 * The context keys behind the steps of the walkthrough. They follow what is there, in the configuration, the store and Claude Code's
 * settings, whoever brought it about; so they are right after a restart, and go back when the thing is gone.
 */
export class StepKeys implements vscode.Disposable {
  readonly #parts: Pick<HostParts, 'context' | 'link' | 'log'>;
  readonly #jobs: JobsModel;
  readonly #subscriptions: { dispose(): unknown }[];
  #isAsking = false;
  #isStale = false;
  #asksClaude = true;

  constructor(parts: Pick<HostParts, 'context' | 'link' | 'log'>) {
    this.#parts = parts;
    this.#jobs = new JobsModel(parts.link, parts.log);
    this.#subscriptions = [
      this.#jobs,
      this.#jobs.onDidChange(() => void this.#lookSoon()),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (uri.scheme === SCHEMES.base || uri.scheme === SCHEMES.job) void this.#noteSeen();
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (CONFIG_FILE.test(uri.fsPath)) void this.refresh();
      }),
      // What a terminal or another program did meanwhile.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.refresh();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.refresh()),
    ];
  }

  /** The jobs of all repositories, as the steps see them. */
  get jobs(): JobsModel {
    return this.#jobs;
  }

  /** Looks at everything again. Whoever sets something up, or registers an endpoint, calls it at the end. */
  async refresh(): Promise<void> {
    this.#asksClaude = true;
    await this.#lookSoon();
  }

  /** Calls while that is under way are answered together by one more. */
  async #lookSoon(): Promise<void> {
    this.#isStale = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#look();
      }
    } catch (error) {
      // The server tells for itself what is wrong with it; the keys stay as they are until it answers.
      this.#parts.log.debug(`Steps: ${BridgeError.from(error).message}`);
    } finally {
      this.#isAsking = false;
    }
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }

  async #look(): Promise<void> {
    const { link, context } = this.#parts;
    if (this.#jobs.state.kind !== 'ready') return;
    const cwd = workspaceFolder();
    const { endpoints } = await link.call('config_facts', cwd === undefined ? {} : { cwd });
    const jobs = (['review', 'running', 'waiting', 'finished'] as const).flatMap((group) =>
      this.#jobs.jobs(group),
    );
    const done = stepsDone(endpoints, jobs, context.globalState.get(SEEN) === true);
    await setContext('hasEndpoint', done.hasEndpoint);
    await setContext('hasRunJob', done.hasRunJob);
    await setContext('hasReviewed', done.hasReviewed);
    await setContext('hasAccepted', done.hasAccepted);
    // Setting up is for trusted windows only, and its files are long: they are not read at each change of a job.
    if (!vscode.workspace.isTrusted || !this.#asksClaude) return;
    const { parts } = await link.call('setup', {
      ...{ action: 'plan-install', parts: ['registration'] },
    });
    this.#asksClaude = false;
    const state = parts[0]?.state;
    await setContext('claudeCodeSetUp', state === 'installed' || state === 'outdated');
  }

  async #noteSeen(): Promise<void> {
    if (this.#parts.context.globalState.get(SEEN) === true) return;
    await this.#parts.context.globalState.update(SEEN, true);
    await this.refresh();
  }
}
