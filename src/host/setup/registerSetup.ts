import type * as vscode from 'vscode';
import { registerCommand } from '../../contributions.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { registerMcpProvider } from './mcpProvider.ts';
import { setUpCommand } from './setUpCommand.ts';
import { SetupDocuments } from './setupDocuments.ts';

/** Claude Code and VS Code's own agent as clients of the bridge. */
export function registerSetup(parts: HostParts): vscode.Disposable[] {
  const documents = new SetupDocuments();
  return [
    documents,
    registerCommand(
      'setUpClaudeCode',
      reportFailures(parts, () => setUpCommand('install', parts, documents)),
    ),
    registerCommand(
      'removeFromClaudeCode',
      reportFailures(parts, () => setUpCommand('remove', parts, documents)),
    ),
    ...registerMcpProvider(parts),
  ];
}
