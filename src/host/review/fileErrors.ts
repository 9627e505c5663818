import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';

/** A failure as VS Code wants it of a file system, with the bridge's own sentences. */
export function fileError(error: unknown, uri: vscode.Uri): vscode.FileSystemError {
  if (error instanceof vscode.FileSystemError) return error;
  const { kind, message, hint } = BridgeError.from(error);
  const text = `${message} ${hint}`.trim();
  if (kind === 'unknown_job') return vscode.FileSystemError.FileNotFound(uri);
  const isForbidden = kind === 'wrong_state' || kind === 'restricted' || kind === 'protected_path';
  return isForbidden
    ? vscode.FileSystemError.NoPermissions(text)
    : vscode.FileSystemError.Unavailable(text);
}
