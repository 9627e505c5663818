import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';

/**
 * For every command that runs, writes or decides something: menus hide it in Restricted Mode, but anybody may run it by name.
 * @throws BridgeError `restricted`
 */
export function requireTrust(what: string): void {
  if (vscode.workspace.isTrusted) return;
  throw new BridgeError('restricted', `${what} is not available in Restricted Mode.`, {
    hint: 'Trust this workspace first.',
  });
}
