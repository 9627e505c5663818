import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { jobReference } from '../../../../src/host/commands/jobReference.ts';
import { namedRows } from '../../../../src/host/commands/namedRows.ts';

const uri = (scheme: string, path: string, query = '') => ({ scheme, path, query, fsPath: path });
const JOB = { kind: 'job', jobId: 'a' };

describe('jobReference', () => {
  const cases: [string, unknown, ReturnType<typeof jobReference>][] = [
    ['an id', 'claude-code-1', { jobId: 'claude-code-1', path: null }],
    ['no id', '', null],
    ['nothing', undefined, null],
    ['null', null, null],
    ['a number', 3, null],
    ['a row of a job', JOB, { jobId: 'a', path: null }],
    ['a row of a file', { kind: 'file', jobId: 'a', path: 'x.ts' }, { jobId: 'a', path: 'x.ts' }],
    ['a row of a group', { kind: 'group', group: 'review' }, null],
    ['a broken row', { kind: 'job', jobId: 3 }, null],
    [
      'the job side of a file',
      uri('delegate-job', '/src/a b.ts', 'job=a'),
      { jobId: 'a', path: 'src/a b.ts' },
    ],
    ['the base side of a file', uri('delegate-base', '/x', 'job=a'), { jobId: 'a', path: 'x' }],
    ['a whole review', uri('delegate-job', '/a'), { jobId: 'a', path: null }],
    ['a review without a job', uri('delegate-job', '/a/b'), null],
    ['a file on disk', uri('file', '/src/a.ts', 'job=a'), null],
  ];
  for (const [what, argument, expected] of cases)
    it(`reads ${what}`, () => assert.deepEqual(jobReference(argument), expected));
});

describe('namedRows', () => {
  const other = { kind: 'job', jobId: 'b' };
  const cases: [string, readonly unknown[], readonly unknown[], readonly string[]][] = [
    ['the row of a menu', [JOB], [], ['a']],
    ['all selected rows of a menu', [JOB, [JOB, other]], [], ['a', 'b']],
    ['the row where nothing is selected', [JOB, []], [other], ['a']],
    ['the selected rows of a key', [{ kind: 'selection' }], [other, JOB], ['b', 'a']],
    ['nothing of a key without a selection', [{ kind: 'selection' }], [], []],
    ['not the selection of the palette', [], [JOB], []],
    ['jobs among other rows', [JOB, [{ kind: 'group', group: 'review' }, other]], [], ['b']],
  ];
  for (const [what, args, rows, expected] of cases) {
    it(`gives ${what}`, () =>
      assert.deepEqual(
        namedRows(args, { rows }).map(({ jobId }) => jobId),
        expected,
      ));
  }
});
