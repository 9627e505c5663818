import type * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';

/** The page of one job. */
export function registerJobPanel(_parts: HostParts): vscode.Disposable[] {
  return [];
}
