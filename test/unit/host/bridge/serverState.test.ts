import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { describeServerState, type ServerState } from '../../../../src/host/bridge/serverState.ts';

const running = (isRestricted: boolean): ServerState => ({
  kind: 'running',
  server: { version: '1.2.3', pid: 7, isRestricted },
});

describe('describeServerState', () => {
  for (const [state, text] of [
    [{ kind: 'stopped' }, 'The Delegation Bridge server is stopped.'],
    [{ kind: 'starting' }, 'The Delegation Bridge server is starting.'],
    [running(false), 'Delegation Bridge server 1.2.3 is running (process 7).'],
    [
      running(true),
      'Delegation Bridge server 1.2.3 is running (process 7, restricted until you trust this workspace).',
    ],
    [
      { kind: 'degraded', reason: 'The server ended with code 1.', retryInMs: 3500 },
      'The server ended with code 1. It is started again in 4 s.',
    ],
    [{ kind: 'failed', reason: 'It is gone.', hint: 'Fetch it.' }, 'It is gone. Fetch it.'],
    [{ kind: 'failed', reason: 'It is gone.', hint: '' }, 'It is gone.'],
  ] satisfies [ServerState, string][]) {
    it(`says: ${text}`, () => assert.equal(describeServerState(state), text));
  }
});
