import * as vscode from 'vscode';
import { runCommand } from '../../contributions.ts';
import { describeServerState } from '../bridge/serverState.ts';
import type { ServerSupervisor } from '../bridge/serverSupervisor.ts';

const RESTART = 'Restart Server';
const SHOW_LOG = 'Show Log';

/**
 * Says which server version runs, or why none does, with the fix as a button. A stopped server is started for it; one
 * that waits after a crash is not, so that the reason is seen.
 *
 * @returns the version that the server itself reports, or undefined
 */
export async function showServerVersionCommand(
  supervisor: ServerSupervisor,
): Promise<string | undefined> {
  const state =
    supervisor.state.kind === 'stopped' || supervisor.state.kind === 'starting'
      ? await withProgress(() => supervisor.start())
      : supervisor.state;
  const text = describeServerState(state);
  if (state.kind === 'running') {
    void vscode.window.showInformationMessage(text);
    return state.server.version;
  }
  void offerFix(text);
  return undefined;
}

function withProgress<T>(task: () => Promise<T>): Thenable<T> {
  const title = 'Starting the Delegation Bridge server';
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, task);
}

async function offerFix(text: string): Promise<void> {
  const choice = await vscode.window.showWarningMessage(text, RESTART, SHOW_LOG);
  if (choice === RESTART) await runCommand('restartServer');
  if (choice === SHOW_LOG) await runCommand('showServerLog');
}
