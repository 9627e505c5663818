import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../../../src/base/bridgeError.ts';
import {
  askWithRetries,
  type Asked,
} from '../../../../../src/bridge/runners/loop/askWithRetries.ts';
import { Deadline } from '../../../../../src/bridge/runners/loop/deadline.ts';
import type { TurnAnswer } from '../../../../../src/bridge/runners/loop/wire/turnTypes.ts';
import { FakeClock, settled } from '../../../../support/fakeClock.ts';

const ANSWER: TurnAnswer = {
  blocks: [{ type: 'text', text: 'yes' }],
  stopReason: 'end_turn',
  rawStopReason: 'stop',
  usage: { input: null, output: null, cacheRead: null, cacheWrite: null },
  modelServed: null,
};
const BROKEN_OFF: TurnAnswer = { ...ANSWER, stopReason: 'unknown', rawStopReason: null };

interface Details {
  retryAfterS?: number | null;
  isRetryable?: boolean;
  hadFirstToken?: boolean;
}

function problem({ retryAfterS = null, isRetryable = true, hadFirstToken = false }: Details = {}) {
  return new BridgeError('backend_error', 'HTTP 503', {
    details: {
      status: 503,
      retry_after_s: retryAfterS,
      is_retryable: isRetryable,
      had_first_token: hadFirstToken,
    },
  });
}

/** Plays outcomes in order, the last one again and again; time passes only through the fake clock. */
async function play(
  outcomes: readonly (TurnAnswer | BridgeError)[],
  options: { limitS?: number; turnTimeoutS?: number; stepMs?: number; attemptMs?: number } = {},
) {
  const clock = new FakeClock();
  const deadline = new Deadline(clock, (options.limitS ?? 3600) * 1000);
  const stop = new AbortController();
  const attempts: { atMs: number; timeoutMs: number }[] = [];
  const delays: number[] = [];
  let asked: Asked | null = null;
  const running = askWithRetries({
    attempt: async (timeoutMs) => {
      attempts.push({ atMs: clock.nowMs(), timeoutMs });
      const outcome = outcomes[Math.min(attempts.length, outcomes.length) - 1];
      if (options.attemptMs !== undefined)
        await new Promise<void>((resolve) => clock.after(options.attemptMs ?? 0, resolve));
      if (outcome instanceof BridgeError) throw outcome;
      assert.ok(outcome);
      return outcome;
    },
    turnTimeoutMs: (options.turnTimeoutS ?? 1800) * 1000,
    deadline,
    clock,
    signal: AbortSignal.any([stop.signal, deadline.signal]),
    random: () => 0.5,
    pausing: (pause) => pause(),
    onRetry: ({ delayMs }) => delays.push(delayMs),
  }).then((result) => (asked = result));
  const finish = async (): Promise<Asked> => {
    for (let step = 0; asked === null && step < 10_000; step += 1)
      await clock.advance(options.stepMs ?? 100);
    return running;
  };
  return { finish, attempts, delays, clock, stop };
}

describe('askWithRetries', () => {
  it('an answer at once is asked for once', async () => {
    const { finish, attempts } = await play([ANSWER]);
    assert.equal((await finish()).answer, ANSWER);
    assert.equal(attempts.length, 1);
  });

  it('four attempts, with 0.75, 1.5 and 3 s between', async () => {
    const { finish, attempts, delays } = await play([problem()]);
    const { failure } = await finish();
    assert.equal(failure?.error.kind, 'backend_error');
    assert.equal(attempts.length, 4);
    assert.deepEqual(delays, [750, 1500, 3000]);
  });

  it('goes on after a failure', async () => {
    const { finish, attempts } = await play([problem(), problem(), ANSWER]);
    assert.equal((await finish()).answer, ANSWER);
    assert.equal(attempts.length, 3);
  });

  it('what is not worth another try fails at once', async () => {
    const { finish, attempts } = await play([problem({ isRetryable: false })]);
    assert.notEqual((await finish()).failure, null);
    assert.equal(attempts.length, 1);
  });

  it('an error of our own is not retried', async () => {
    const { finish, attempts } = await play([new BridgeError('internal', 'a bug')]);
    assert.equal((await finish()).failure?.error.kind, 'internal');
    assert.equal(attempts.length, 1);
  });

  it('never comes back before Retry-After', async () => {
    const { finish, attempts } = await play([problem({ retryAfterS: 20 }), ANSWER]);
    await finish();
    assert.ok((attempts[1]?.atMs ?? 0) >= 20_000);
  });

  it('a pause that leaves less than 30 s is not begun', async () => {
    const { finish, attempts, clock } = await play([problem({ retryAfterS: 100 })], {
      limitS: 120,
    });
    assert.equal((await finish()).failure?.error.kind, 'backend_error');
    assert.equal(attempts.length, 1);
    assert.ok(clock.nowMs() < 1000);
  });

  it('an attempt has what is left of the one deadline, over attempts and pauses', async () => {
    const { finish, attempts } = await play([problem()], {
      limitS: 100,
      turnTimeoutS: 50,
      attemptMs: 25_000,
      stepMs: 500,
    });
    await finish();
    assert.deepEqual(
      attempts.map(({ timeoutMs }) => Math.round(timeoutMs / 1000)),
      [50, 50, 48],
    );
  });

  it('too little time left for even one attempt: timeout', async () => {
    const { finish, attempts } = await play([problem()], {
      limitS: 100,
      attemptMs: 75_000,
      stepMs: 500,
    });
    assert.equal((await finish()).failure?.error.kind, 'backend_error');
    assert.equal(attempts.length, 1);
  });

  it('a stop ends the pause', async () => {
    const { finish, attempts, stop } = await play([problem({ retryAfterS: 60 })]);
    await settled();
    stop.abort();
    assert.notEqual((await finish()).failure, null);
    assert.equal(attempts.length, 1);
  });

  it('remembers that part of an answer had come, also of an earlier attempt', async () => {
    const { finish } = await play([problem({ hadFirstToken: true }), problem()]);
    const asked = await finish();
    assert.ok(asked.failure !== null && asked.hadFirstToken);
  });

  it('an answer that breaks off is asked for once more, and then taken as it is', async () => {
    const { finish, attempts } = await play([BROKEN_OFF]);
    assert.equal((await finish()).answer, BROKEN_OFF);
    assert.equal(attempts.length, 2);
  });

  it('an answer without an end that has a whole call is taken', async () => {
    const call: TurnAnswer = {
      ...BROKEN_OFF,
      blocks: [{ type: 'tool_call', id: '1', name: 'glob', input: {}, rawInput: '{}' }],
    };
    const { finish, attempts } = await play([call]);
    assert.equal((await finish()).answer, call);
    assert.equal(attempts.length, 1);
  });
});
