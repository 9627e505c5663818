import { describeServerState, type ServerState } from '../bridge/serverState.ts';

export interface MessageFacts {
  readonly server: ServerState;
  /** There are rows: without any a welcome text says what is wrong. */
  readonly hasRows: boolean;
  readonly isTrusted: boolean;
  /** When the rows were read, as `12:03`; null when they are as now. */
  readonly rowsAsOf: string | null;
}

/** The line above the rows of a view, empty for none: rows that are old are never shown without saying so. */
export function viewMessage(facts: MessageFacts): string {
  const { server, hasRows, isTrusted, rowsAsOf } = facts;
  const age = hasRows && rowsAsOf !== null ? ` What is shown here is from ${rowsAsOf}.` : '';
  switch (server.kind) {
    case 'degraded':
      return `${describeServerState(server)}${age}`;
    case 'failed':
    case 'stopped':
      return hasRows ? `${describeServerState(server)}${age}` : '';
    case 'starting':
      return hasRows && rowsAsOf !== null ? `The server is starting.${age}` : '';
    case 'running':
      return hasRows && !isTrusted
        ? 'Restricted Mode: jobs and endpoints are shown, nothing runs until you trust this workspace.'
        : '';
  }
}
