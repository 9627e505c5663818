import type * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';

/** Handing over work: the palette flow and its shortcuts. */
export function registerDelegate(_parts: HostParts): vscode.Disposable[] {
  return [];
}
