/** What VS Code gives a webview's script, once. */
export interface VsCodeApi<Message, State> {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: State): void;
}

declare global {
  function acquireVsCodeApi<Message, State>(): VsCodeApi<Message, State>;
}
