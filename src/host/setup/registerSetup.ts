import type * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';

/** Claude Code and VS Code's own agent as clients of the bridge. */
export function registerSetup(_parts: HostParts): vscode.Disposable[] {
  return [];
}
