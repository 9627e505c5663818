import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  changedPaths,
  matchingPaths,
  withoutLeave,
} from '../../../../src/bridge/gates/protectedPaths.ts';
import type { ChangedFile } from '../../../../src/protocol/job.ts';

const file = (path: string, over: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  oldPath: null,
  change: 'modified',
  additions: 1,
  deletions: 0,
  binary: false,
  oldMode: null,
  newMode: null,
  ...over,
});

describe('protected paths', () => {
  const PROTECT = ['test/**', 'package.json', '*.config.js'];
  const cases: [string, ChangedFile[], string[]][] = [
    ['none', [file('src/a.js')], []],
    ['in a folder', [file('test/deep/a.js')], ['test/deep/a.js']],
    ['a hidden file in it', [file('test/.env')], ['test/.env']],
    ['moved away', [file('src/a.js', { change: 'renamed', oldPath: 'test/a.js' })], ['test/a.js']],
    ['moved in', [file('test/a.js', { change: 'renamed', oldPath: 'src/a.js' })], ['test/a.js']],
    ['deleted', [file('package.json', { change: 'deleted' })], ['package.json']],
    ['only its mode', [file('package.json', { change: 'mode' })], ['package.json']],
    ['ignored output does not count', [file('test/out.log', { change: 'ignored' })], []],
    ['a name that only looks like it', [file('mytest/a.js'), file('package.json.bak')], []],
  ];
  for (const [name, files, expected] of cases) {
    it(name, () => assert.deepEqual(matchingPaths(changedPaths(files), PROTECT), expected));
  }
  it('leave is by pattern, and what is left is told', () => {
    assert.deepEqual(withoutLeave(['test/a.js', 'package.json'], ['test/**']), ['package.json']);
    assert.deepEqual(withoutLeave(['test/a.js'], []), ['test/a.js']);
  });
});
