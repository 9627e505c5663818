/** A server that has answered the initialize request. */
export interface RunningServer {
  readonly version: string;
  readonly pid: number;
  /** True in an untrusted window: read-only tools, nothing of the workspace is used. */
  readonly isRestricted: boolean;
}

export type ServerState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly server: RunningServer }
  /** It stopped by itself and is started again after `retryInMs`. */
  | { readonly kind: 'degraded'; readonly reason: string; readonly retryInMs: number }
  /** Nothing more happens by itself. */
  | { readonly kind: 'failed'; readonly reason: string; readonly hint: string };

/** The state as sentences for a person: what is, why, and what to do. */
export function describeServerState(state: ServerState): string {
  switch (state.kind) {
    case 'stopped':
      return 'The Delegation Bridge server is stopped.';
    case 'starting':
      return 'The Delegation Bridge server is starting.';
    case 'running':
      return `Delegation Bridge server ${state.server.version} is running (process ${state.server.pid}${
        state.server.isRestricted ? ', restricted until you trust this workspace' : ''
      }).`;
    case 'degraded':
      return `${state.reason} It is started again in ${Math.ceil(state.retryInMs / 1000)} s.`;
    case 'failed':
      return `${state.reason} ${state.hint}`.trim();
  }
}
