import type { PageMessage, PanelState } from '../../src/protocol/jobPanel/panelMessages.ts';

/** What VS Code gives a webview's script, once. */
export interface VsCodeApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: PanelState): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}
