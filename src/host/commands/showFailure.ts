import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { HostLog } from '../bridge/hostLog.ts';
import { failureFixes, type FailureFix } from './failureFixes.ts';

const MAX_LENGTH = 600;

/**
 * Tells a person what did not work and what to do next, with a button that leads there. What the person has cancelled is not told.
 * Resolves when the message is gone: callers that have more to do do not wait for it.
 */
export async function showFailure(
  error: unknown,
  log: HostLog,
  ownFixes: readonly FailureFix[] = [],
): Promise<void> {
  const failure = BridgeError.from(error);
  if (failure.kind === 'cancelled') return;
  if (failure.kind === 'internal') log.error(stackOf(error));
  else log.warn(`${failure.kind}: ${failure.message} ${failure.hint}`.trim());
  const text = sanitiseLine(`${failure.message} ${failure.hint}`, MAX_LENGTH);
  const fixes = [...ownFixes, ...failureFixes(failure.kind)];
  const chosen = await vscode.window.showWarningMessage(text, ...fixes.map(({ label }) => label));
  const fix = fixes.find(({ label }) => label === chosen);
  if (fix !== undefined) await vscode.commands.executeCommand(fix.command);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
