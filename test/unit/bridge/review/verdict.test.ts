import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { verdictOf } from '../../../../src/bridge/review/verdict.ts';
import type { ChangedFile } from '../../../../src/protocol/job.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const file = (path: string, change: ChangedFile['change'] = 'modified'): ChangedFile => ({
  path,
  oldPath: null,
  change,
  additions: 1,
  deletions: 0,
  binary: false,
  oldMode: null,
  newMode: null,
});

describe('verdictOf', () => {
  const cases: [string, ChangedFile[], string[], string[], string, boolean][] = [
    ['nothing said', [file('a')], [], [], 'pending', false],
    ['some taken', [file('a'), file('b')], ['a'], [], 'partly', false],
    ['some dropped', [file('a'), file('b')], [], ['a'], 'pending', false],
    ['all taken', [file('a'), file('b')], ['a', 'b'], [], 'accepted', true],
    ['all dropped', [file('a'), file('b')], [], ['a', 'b'], 'rejected', true],
    ['each has its word', [file('a'), file('b')], ['a'], ['b'], 'partly', true],
    ['ignored output is left', [file('a'), file('x', 'ignored')], ['a'], [], 'accepted', true],
    ['a repository is left', [file('a'), file('n/', 'nested')], [], ['a'], 'rejected', true],
    ['ignored output is dropped', [file('x', 'ignored')], [], ['x'], 'rejected', true],
    ['a dropped file is no change any more', [file('a')], ['a'], ['gone'], 'accepted', true],
    ['a submodule is open', [file('a'), file('s', 'submodule')], ['a'], [], 'partly', false],
  ];
  for (const [what, changed, taken, dropped, status, isDecided] of cases) {
    it(`${what}: ${status}`, () => {
      const verdict = verdictOf(changed, taken, dropped);
      assert.deepEqual([verdict.status, verdict.isDecided], [status, isDecided]);
    });
  }

  it('no file is both taken and dropped, taking wins, and decided means that every file has its word', () => {
    const subset = fc.subarray(NAMES);
    fc.assert(
      fc.property(subset, subset, subset, (changed, taken, dropped) => {
        const verdict = verdictOf(
          changed.map((name) => file(name)),
          taken,
          dropped,
        );
        assert.deepEqual(verdict.files, taken);
        assert.ok(verdict.dropped.every((path) => !taken.includes(path) && dropped.includes(path)));
        const hasWord = (path: string): boolean => taken.includes(path) || dropped.includes(path);
        assert.equal(verdict.isDecided, changed.every(hasWord));
        if (verdict.status === 'accepted') assert.ok(changed.every((path) => taken.includes(path)));
        if (verdict.status === 'rejected') {
          assert.equal(taken.length, 0);
          assert.ok(changed.every((path) => dropped.includes(path)));
        }
        if (!verdict.isDecided) assert.ok(['pending', 'partly'].includes(verdict.status));
      }),
    );
  });
});
