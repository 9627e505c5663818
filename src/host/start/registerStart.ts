import type * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';

/** First steps and house-keeping. */
export function registerStart(_parts: HostParts): vscode.Disposable[] {
  return [];
}
