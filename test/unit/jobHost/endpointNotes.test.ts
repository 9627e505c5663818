import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Backend } from '../../../src/config/endpointSchema.ts';
import { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import { readHealth } from '../../../src/bridge/routing/endpointHealth.ts';
import { EndpointNotes, type RequestOutcome } from '../../../src/jobHost/endpointNotes.ts';
import type { JobEndpoint } from '../../../src/jobHost/jobSetup.ts';

const LAST: RequestOutcome = {
  kind: 'backend_error',
  status: 503,
  retryAfterS: null,
  isRetried: false,
};

describe('EndpointNotes', () => {
  let folder: string;
  let store: JobStore;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'delegate-notes-'));
    store = new JobStore(folder);
  });
  afterEach(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const notes = (backend: Backend = 'vllm'): EndpointNotes =>
    new EndpointNotes(
      store,
      { resolved: { target: { name: 'here' } }, probe: { backend } } as unknown as JobEndpoint,
      'm',
    );

  const table: {
    name: string;
    given: Partial<RequestOutcome>;
    failures: number;
    paused: boolean;
  }[] = [
    { name: 'a server error', given: {}, failures: 1, paused: false },
    {
      name: 'a server error that is tried again',
      given: { isRetried: true },
      failures: 0,
      paused: false,
    },
    {
      name: 'nobody answers',
      given: { kind: 'backend_unreachable', status: null },
      failures: 1,
      paused: false,
    },
    { name: 'silence', given: { kind: 'timeout', status: null }, failures: 1, paused: false },
    {
      name: 'an answer that takes too long',
      given: { kind: 'timeout', status: 200 },
      failures: 0,
      paused: false,
    },
    {
      name: 'too many requests',
      given: { kind: 'rate_limited', status: 429 },
      failures: 0,
      paused: true,
    },
    {
      name: 'a stated pause, though it is tried again',
      given: { kind: 'rate_limited', status: 429, retryAfterS: 30, isRetried: true },
      failures: 0,
      paused: true,
    },
    {
      name: 'a stated pause with a server error',
      given: { retryAfterS: 30, isRetried: true },
      failures: 0,
      paused: true,
    },
    { name: 'a request that was wrong', given: { status: 400 }, failures: 0, paused: false },
    {
      name: 'a refused key',
      given: { kind: 'auth_failed', status: 401 },
      failures: 0,
      paused: false,
    },
    {
      name: 'a prompt too long, under 500',
      given: { kind: 'context_overflow', status: 500 },
      failures: 0,
      paused: false,
    },
  ];
  for (const { name, given, failures, paused } of table) {
    it(`${name}: ${failures} for the breaker, ${paused ? 'a' : 'no'} pause`, () => {
      notes().failed({ ...LAST, ...given });
      const health = readHealth(store, Date.now()).get('here');
      assert.equal(health?.failures ?? 0, failures);
      assert.equal((health?.pausedUntilMs ?? null) !== null, paused);
    });
  }

  it('behind a gateway a limit is of the model alone', () => {
    notes('litellm').failed({ ...LAST, kind: 'rate_limited', status: 429, retryAfterS: 30 });
    const health = readHealth(store, Date.now()).get('here');
    assert.equal(health?.pausedUntilMs, null);
    assert.deepEqual([...(health?.coolingModels.keys() ?? [])], ['m']);
  });

  it('an answer makes well again', () => {
    notes().failed(LAST);
    notes().answered();
    assert.equal(readHealth(store, Date.now()).get('here'), undefined);
  });
});
