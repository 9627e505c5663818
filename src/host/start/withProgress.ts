import * as vscode from 'vscode';

/** Work that a person waits for, with a bar and a way to call it off. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return vscode.window.withProgress(options, (_progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    return work(controller.signal);
  });
}
