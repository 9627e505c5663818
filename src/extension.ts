import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { readNumberSetting, registerCommand, setContext } from './contributions.ts';
import { installLauncher } from './host/bridge/installLauncher.ts';
import { serverCommandLine } from './host/bridge/serverCommandLine.ts';
import { describeServerState } from './host/bridge/serverState.ts';
import { ServerSupervisor } from './host/bridge/serverSupervisor.ts';
import { startServer } from './host/bridge/startServer.ts';
import { systemClock } from './host/bridge/systemClock.ts';
import { restartServerCommand } from './host/commands/restartServerCommand.ts';
import { showServerVersionCommand } from './host/commands/showServerVersionCommand.ts';

// VS Code hands `deactivate` nothing, and waits only for what it returns.
let active: ServerSupervisor | undefined;

/** Builds the parts and connects them; returns before the server has started. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Delegation Bridge', { log: true });
  const serverLog = vscode.window.createOutputChannel('Delegation Bridge Server', { log: true });
  const { version } = context.extension.packageJSON as { version: string };

  const supervisor = new ServerSupervisor({
    clock: systemClock,
    onDidChangeState: (state) => {
      log.info(`Server ${state.kind}: ${describeServerState(state)}`);
      void setContext('serverState', state.kind);
    },
    connect: (signal) => {
      const isRestricted = !vscode.workspace.isTrusted;
      const commandLine = serverCommandLine({
        execPath: process.execPath,
        extensionDir: context.extensionPath,
        cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir(),
        env: process.env,
        isRestricted,
      });
      const startTimeoutMs = readNumberSetting('server.startTimeoutSeconds') * 1000;
      return startServer(
        { commandLine, isRestricted, startTimeoutMs, clientVersion: version, log, serverLog },
        signal,
      );
    },
  });
  active = supervisor;

  context.subscriptions.push(
    log,
    serverLog,
    registerCommand('showServerVersion', () => showServerVersionCommand(supervisor)),
    registerCommand('restartServer', () => restartServerCommand(supervisor)),
    registerCommand('showServerLog', () => serverLog.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void supervisor.restart()),
  );

  void supervisor.start();
  void installLauncher({
    env: process.env,
    homeDir: homedir(),
    platform: process.platform,
    execPath: process.execPath,
    extensionDir: context.extensionPath,
    log,
  });
}

/** Ends the server child. Jobs go on: they have processes of their own. */
export async function deactivate(): Promise<void> {
  await active?.dispose();
}
