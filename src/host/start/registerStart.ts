import * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../contributions.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { workspaceFolder } from '../workspaceFolder.ts';
import { cleanUp } from './cleanUp.ts';
import { collectDiagnostics } from './collectDiagnostics.ts';
import { findServers } from './findServers.ts';
import { openConfig } from './openConfig.ts';
import { PRACTICE_PENDING } from './practiceRepository.ts';
import { registerEndpoint } from './registerEndpoint.ts';
import { RehearsalCommands } from './rehearsalCommands.ts';
import { trustSettings } from './trustSettings.ts';
import { tryFirstJob } from './tryFirstJob.ts';

/** First steps and house-keeping. */
export function registerStart(parts: HostParts): vscode.Disposable[] {
  const rehearsal = new RehearsalCommands(parts);
  const told = <T>(handler: (argument: unknown) => Promise<T>) =>
    reportFailures(parts, (argument: unknown) => handler(argument));
  void rehearsal.resume().then(() => greetPractice(parts));

  return [
    rehearsal,
    registerCommand('openWalkthrough', () => openWalkthrough(parts)),
    registerCommand(
      'findServers',
      told(() => findServers(parts)),
    ),
    registerCommand(
      'registerEndpoint',
      told(() => registerEndpoint(parts)),
    ),
    registerCommand('startRehearsal', told(rehearsal.start)),
    registerCommand('stopRehearsal', told(rehearsal.stop)),
    registerCommand(
      'tryFirstJob',
      told(() => tryFirstJob(parts)),
    ),
    registerCommand(
      'openConfig',
      told(() => openConfig(parts)),
    ),
    registerCommand(
      'trustRepositorySettings',
      told((argument) => trustSettings(parts, argument)),
    ),
    registerCommand(
      'cleanUp',
      told(() => cleanUp(parts)),
    ),
    registerCommand(
      'collectDiagnostics',
      told(() => collectDiagnostics(parts)),
    ),
  ];
}

function openWalkthrough({ context }: HostParts): Thenable<unknown> {
  return vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    `${context.extension.id}#delegationBridge.start`,
    false,
  );
}

/** The window of a practice repository that was just made goes on where the other one stopped. */
async function greetPractice({ context }: HostParts): Promise<void> {
  const pending = context.globalState.get<string>(PRACTICE_PENDING);
  if (pending === undefined || pending !== workspaceFolder()) return;
  await context.globalState.update(PRACTICE_PENDING, undefined);
  if (vscode.workspace.isTrusted) await runCommand('tryFirstJob');
}
