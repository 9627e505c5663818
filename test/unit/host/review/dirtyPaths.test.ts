import { afterEach, beforeEach, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import { DirtyPaths, type Timers } from '../../../../src/host/review/dirtyPaths.ts';

const MINUTE_MS = 60_000;

/** Time that passes when the test says so. */
function clock() {
  let now = 0;
  let waiting: { at: number; call: () => void }[] = [];
  const timers: Timers = {
    after: (ms, call) => {
      const entry = { at: now + ms, call };
      waiting.push(entry);
      return () => (waiting = waiting.filter((each) => each !== entry));
    },
  };
  return {
    timers,
    get pending() {
      return waiting.length;
    },
    async pass(ms: number): Promise<void> {
      const end = now + ms;
      for (;;) {
        const next = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        waiting = waiting.filter((each) => each !== next);
        now = next.at;
        next.call();
        await tick();
      }
      now = end;
    },
  };
}

describe('the unsaved files of a window', () => {
  let time: ReturnType<typeof clock>;
  let unsaved: string[];
  let told: (readonly string[])[];
  let failures: unknown[];
  let isServerThere: boolean;
  let dirty: DirtyPaths;

  beforeEach(() => {
    time = clock();
    unsaved = [];
    told = [];
    failures = [];
    isServerThere = true;
    dirty = new DirtyPaths({
      windowId: 'window-1',
      read: () => unsaved,
      onError: (error) => failures.push(error),
      timers: time.timers,
      link: {
        tryCall: async (name: string, args: unknown) => {
          assert.equal(name, 'dirty_paths');
          const { window, paths } = args as { window: string; paths: string[] };
          assert.equal(window, 'window-1');
          if (!isServerThere) throw new Error('no server');
          told.push(paths);
          return { isOk: true, answer: { count: paths.length } } as never;
        },
      },
    });
  });
  afterEach(() => dirty.dispose());

  it('are told once the typing has paused', async () => {
    unsaved = ['/b', '/a', '/a'];
    for (let n = 0; n < 5; n++) {
      dirty.changed();
      await time.pass(100);
    }
    assert.deepEqual(told, []);
    await time.pass(300);
    assert.deepEqual(told, [['/a', '/b']]);
  });

  it('are told again before the store forgets them, for as long as there are any', async () => {
    unsaved = ['/a'];
    dirty.changed();
    await time.pass(30 * MINUTE_MS);
    assert.ok(told.length >= 3, `${told.length} in half an hour`);
    unsaved = [];
    dirty.changed();
    await time.pass(MINUTE_MS);
    assert.deepEqual(told.at(-1), []);
    const count = told.length;
    await time.pass(30 * MINUTE_MS);
    assert.equal(told.length, count);
    assert.equal(time.pending, 0);
  });

  it('are not worth a word where there are none', async () => {
    dirty.changed();
    await time.pass(MINUTE_MS);
    await dirty.flush();
    await dirty.dispose();
    assert.deepEqual(told, []);
  });

  it('are told at once before an accept', async () => {
    unsaved = ['/a'];
    dirty.changed();
    await dirty.flush();
    assert.deepEqual(told, [['/a']]);
    await time.pass(1000);
    assert.equal(told.length, 1);
  });

  it('are in nobody’s way once the window closes', async () => {
    unsaved = ['/a'];
    await dirty.flush();
    await dirty.dispose();
    assert.deepEqual(told, [['/a'], []]);
    dirty.changed();
    await time.pass(30 * MINUTE_MS);
    assert.equal(told.length, 2);
  });

  it('are told later when the server was away', async () => {
    isServerThere = false;
    unsaved = ['/a'];
    await dirty.flush();
    assert.equal(failures.length, 1);
    isServerThere = true;
    await time.pass(5 * MINUTE_MS);
    assert.deepEqual(told, [['/a']]);
  });
});
