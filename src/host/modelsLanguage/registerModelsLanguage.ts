import type * as vscode from 'vscode';
import { registerCommand } from '../../contributions.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { deleteSecret } from './deleteSecret.ts';
import { ModelsStatus } from './modelsStatus.ts';
import { moveSecret } from './moveSecret.ts';
import { probeEndpoint } from './probeEndpoint.ts';
import { setSecret } from './setSecret.ts';

/** What can be done from models.yaml, and about the keys that it refers to. */
export function registerModelsLanguage(parts: HostParts): vscode.Disposable[] {
  const told = <T>(handler: (...args: unknown[]) => Promise<T>) => reportFailures(parts, handler);
  return [
    new ModelsStatus(parts),
    registerCommand(
      'restartLanguageServer',
      told(() => parts.language.restart()),
    ),
    registerCommand(
      'probeEndpoint',
      told((argument) => probeEndpoint(parts, argument)),
    ),
    registerCommand(
      'setSecret',
      told((argument) => setSecret(parts, argument)),
    ),
    registerCommand(
      'deleteSecret',
      told((argument) => deleteSecret(parts, argument)),
    ),
    registerCommand(
      'moveSecret',
      told((...args) => moveSecret(parts, args)),
    ),
  ];
}
