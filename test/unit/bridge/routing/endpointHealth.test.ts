import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { JobStore } from '../../../../src/bridge/jobs/jobStore.ts';
import {
  type EndpointHealth,
  noteEndpointFailure,
  noteEndpointSuccess,
  noteProbeJob,
  readHealth,
} from '../../../../src/bridge/routing/endpointHealth.ts';

describe('endpoint health', () => {
  let dir: string;
  let store: JobStore;
  const at = (s: number): Date => new Date(Date.UTC(2026, 0, 1) + s * 1000);
  const health = (s: number, endpoint = 'gpu'): EndpointHealth | undefined =>
    readHealth(store, at(s).getTime()).get(endpoint);
  const fail = (s: number, kind: 'connect' | 'server_error' = 'connect'): void =>
    noteEndpointFailure(store, 'gpu', { kind, retryAfterS: null }, at(s));
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'delegate-health-'));
    store = new JobStore(dir);
  });
  afterEach(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('opens after three failures in a row, tries after a pause, and a success closes it', () => {
    fail(0);
    fail(1, 'server_error');
    assert.equal(health(2)?.breaker, 'closed');
    fail(2);
    assert.equal(health(3)?.breaker, 'open');
    assert.equal(health(3)?.pausedUntilMs, at(7).getTime());
    assert.equal(health(7)?.breaker, 'half-open');
    assert.equal(health(7)?.pausedUntilMs, null);
    noteEndpointSuccess(store, 'gpu', at(8));
    assert.equal(health(8), undefined);
  });

  it('a success between failures starts the count again', () => {
    fail(0);
    fail(1);
    noteEndpointSuccess(store, 'gpu', at(2));
    fail(3);
    fail(4);
    assert.equal(health(5)?.breaker, 'closed');
  });

  it('each failed try makes the pause longer, and what fails while it is open does not', () => {
    for (const s of [0, 0, 0]) fail(s);
    const pauses: number[] = [];
    let now = 0;
    for (let round = 0; round < 8; round += 1) {
      const until = (health(now)?.pausedUntilMs ?? 0) / 1000 - at(0).getTime() / 1000;
      pauses.push(until - now);
      fail(now + 0.5);
      assert.equal((health(now + 0.5)?.pausedUntilMs ?? 0) / 1000, until + at(0).getTime() / 1000);
      now = until;
      noteProbeJob(store, 'gpu', `try-${round}`, at(now));
      assert.equal(health(now)?.probeJob, `try-${round}`);
      fail(now);
      assert.equal(health(now)?.probeJob, null);
    }
    assert.deepEqual(pauses, [5, 10, 20, 40, 80, 120, 120, 120]);
  });

  it('a stated pause is a cool-down: of the endpoint or of one model; a shorter one does not end a longer one', () => {
    const limited = (s: number, retryAfterS: number | null, model?: string): void =>
      noteEndpointFailure(
        store,
        'gpu',
        { kind: 'rate_limited', retryAfterS, ...(model === undefined ? {} : { model }) },
        at(s),
      );
    limited(0, 60);
    limited(1, 5);
    assert.equal(health(1)?.pausedUntilMs, at(60).getTime());
    assert.equal(health(61), undefined);
    limited(100, null);
    assert.equal(health(100)?.pausedUntilMs, at(110).getTime(), 'one that is not stated is short');
    limited(200, 30, 'glm-5');
    assert.deepEqual([...(health(200)?.coolingModels ?? [])], [['glm-5', at(230).getTime()]]);
    assert.equal(health(200)?.pausedUntilMs, null);
    limited(300, 1e9);
    assert.equal(health(300)?.pausedUntilMs, at(3900).getTime(), 'nobody is believed for ever');
    assert.equal(health(300)?.breaker, 'closed', 'too many requests is no sickness');
  });

  it('a 5xx with Retry-After counts for both', () => {
    for (const s of [0, 1, 2]) {
      noteEndpointFailure(store, 'gpu', { kind: 'server_error', retryAfterS: 100 }, at(s));
    }
    assert.equal(health(3)?.breaker, 'open');
    assert.equal(health(3)?.pausedUntilMs, at(102).getTime());
    assert.equal(health(50)?.breaker, 'half-open');
    assert.equal(health(50)?.pausedUntilMs, at(102).getTime());
  });

  it('of every order of events: open only after three failures in a row, and never for longer than two minutes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 200 })), { maxLength: 25 }),
        (events) => {
          store.transaction(() => noteEndpointSuccess(store, 'gpu', at(0)));
          let now = 0;
          let inRow = 0;
          for (const [isFailure, gapS] of events) {
            now += gapS;
            if (isFailure) fail(now);
            else noteEndpointSuccess(store, 'gpu', at(now));
            inRow = isFailure ? inRow + 1 : 0;
            const seen = health(now);
            assert.equal(seen?.breaker === 'open' || seen?.breaker === 'half-open', inRow >= 3);
            assert.ok((seen?.pausedUntilMs ?? 0) <= at(now + 120).getTime());
          }
          noteEndpointSuccess(store, 'gpu', at(now));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('another process sees it', () => {
    for (const s of [0, 1, 2]) fail(s);
    const other = new JobStore(dir);
    assert.equal(readHealth(other, at(3).getTime()).get('gpu')?.breaker, 'open');
    other.close();
  });
});
