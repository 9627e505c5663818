import * as vscode from 'vscode';
import { registerCommand } from '../../contributions.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { delegateAgainCommand } from './delegateAgainCommand.ts';
import { delegateBriefCommand } from './delegateBriefCommand.ts';
import { delegateFileCommand } from './delegateFileCommand.ts';
import { delegateFlow } from './delegateFlow.ts';
import { delegateProblemCommand } from './delegateProblemCommand.ts';
import { delegateSelectionCommand } from './delegateSelectionCommand.ts';
import { folderOf } from './folderOf.ts';
import { KeptDelegations } from './keptDelegations.ts';
import { ProblemActions } from './problemActions.ts';
import { TodoLenses } from './todoLenses.ts';

/** Handing over work: the palette flow and its shortcuts. */
export function registerDelegate(parts: HostParts): vscode.Disposable[] {
  const { workspaceState, globalState } = parts.context;
  // Without a folder there is no job; what was typed has to be there in the window that then has one.
  const kept = new KeptDelegations(workspaceState, globalState, () => folderOf(undefined) !== null);
  const told = (
    handler: (args: readonly unknown[]) => Promise<string | undefined>,
  ): ((...args: unknown[]) => Promise<string | undefined>) =>
    reportFailures(parts, (...args: unknown[]) => handler(args));

  return [
    registerCommand(
      'delegate',
      told(() => delegateFlow(parts, kept, { cwd: folderOf(undefined) })),
    ),
    registerCommand(
      'delegateSelection',
      told((args) => delegateSelectionCommand(args, parts, kept)),
    ),
    registerCommand(
      'delegateFile',
      told((args) => delegateFileCommand(args, parts, kept)),
    ),
    registerCommand(
      'delegateProblem',
      told((args) => delegateProblemCommand(args, parts, kept)),
    ),
    registerCommand(
      'delegateAgain',
      told(() => delegateAgainCommand(parts, kept)),
    ),
    registerCommand(
      'delegateBrief',
      told(() => delegateBriefCommand(parts, kept)),
    ),
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new ProblemActions(), {
      providedCodeActionKinds: ProblemActions.kinds,
    }),
    new TodoLenses(),
  ];
}
