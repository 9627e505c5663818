import type * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';

/** Looking at changes and deciding about them. */
export function registerReview(_parts: HostParts): vscode.Disposable[] {
  return [];
}
