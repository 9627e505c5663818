import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { AgentChecks } from './agentChecks.ts';
import { AgentEditing } from './agentEditing.ts';
import { AgentProblems } from './agentProblems.ts';

/** Agent and skill definitions in the editor and in the Problems panel. */
export function registerAgents(parts: HostParts): vscode.Disposable[] {
  const checks = new AgentChecks(parts);
  const editing = new AgentEditing(checks);
  const { selector, kinds } = AgentEditing;
  return [
    checks,
    new AgentProblems(checks),
    vscode.languages.registerHoverProvider(selector, editing),
    vscode.languages.registerCodeActionsProvider(selector, editing, {
      providedCodeActionKinds: kinds,
    }),
  ];
}
