import * as vscode from 'vscode';
import { registerCommand } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { restartServerCommand } from './restartServerCommand.ts';
import { showServerVersionCommand } from './showServerVersionCommand.ts';

/** The commands about the server child, and its new start once the window is trusted. */
export function registerServer({ supervisor, serverLog }: HostParts): vscode.Disposable[] {
  return [
    registerCommand('showServerVersion', () => showServerVersionCommand(supervisor)),
    registerCommand('restartServer', () => restartServerCommand(supervisor)),
    registerCommand('showServerLog', () => serverLog.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void supervisor.restart()),
  ];
}
