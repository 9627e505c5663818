import type * as vscode from 'vscode';
import { registerCommand } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { abandonJobCommand } from './abandonJobCommand.ts';
import { cancelJobCommand } from './cancelJobCommand.ts';
import { openWorktreeCommand } from './openWorktreeCommand.ts';
import { reportFailures } from './reportFailures.ts';
import { resumeJobCommand } from './resumeJobCommand.ts';
import { retryJobCommand } from './retryJobCommand.ts';
import { runGateCommand } from './runGateCommand.ts';

/** What can be done about a job besides looking at it and deciding about it. */
export function registerJobCommands(parts: HostParts): vscode.Disposable[] {
  const told = <T>(command: (args: readonly unknown[], parts: HostParts) => Promise<T>) =>
    reportFailures(parts, (...args: unknown[]) => command(args, parts));
  return [
    registerCommand('cancelJob', told(cancelJobCommand)),
    registerCommand('resumeJob', told(resumeJobCommand)),
    registerCommand('retryJob', told(retryJobCommand)),
    registerCommand('openWorktree', told(openWorktreeCommand)),
    registerCommand('runGate', told(runGateCommand)),
    registerCommand('abandonJob', told(abandonJobCommand)),
  ];
}
