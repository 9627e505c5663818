import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { pageHtml } from './pageHtml.ts';

interface WebviewPage {
  readonly title: string;
  /** Name of its script and its style sheet in dist/webview. */
  readonly bundle: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** Puts one of our pages into a webview, with a nonce of its own and nothing but dist/webview to load from. */
export function fillWebview(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { title, bundle, data = {} }: WebviewPage,
): void {
  const root = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const uri = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(root, name)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [root] };
  webview.html = pageHtml({
    ...{ title, data, cspSource: webview.cspSource },
    nonce: randomBytes(24).toString('base64'),
    script: uri(`${bundle}.js`),
    style: uri(`${bundle}.css`),
    codicons: uri('codicon.css'),
  });
}
