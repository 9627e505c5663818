import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { targetOfTab, targetOfUri } from '../../../../src/host/review/reviewTarget.ts';
import { reviewSource, reviewUri, type ReviewSide } from '../../../../src/host/review/reviewUri.ts';

const uri = (path: string, side: ReviewSide) => reviewUri({ jobId: 'job-1', path, side });
const onDisk = { scheme: 'file', path: '/home/a.ts', query: '' };
const FILE = { kind: 'file', jobId: 'job-1', path: 'a.ts' } as const;
const JOB = { kind: 'job', jobId: 'job-1' } as const;
const MERGE = { kind: 'merge', jobId: 'job-1', path: 'a.ts' } as const;

describe('what an editor shows', () => {
  const cases: [string, unknown, unknown][] = [
    ['a diff', { original: uri('a.ts', 'base'), modified: uri('a.ts', 'job') }, FILE],
    [
      'a rename, by its new name',
      { original: uri('old.ts', 'base'), modified: uri('a.ts', 'job') },
      FILE,
    ],
    ['a side alone', { uri: uri('a.ts', 'job') }, FILE],
    ['a picture', { uri: uri('a.ts', 'base'), viewType: 'imagePreview.previewEditor' }, FILE],
    [
      'a merge',
      {
        base: uri('a.ts', 'merge-base'),
        input1: uri('a.ts', 'yours'),
        input2: uri('a.ts', 'theirs'),
        result: uri('a.ts', 'result'),
      },
      MERGE,
    ],
    ['the markers of a merge in a plain editor', { uri: uri('a.ts', 'result') }, MERGE],
    [
      'all changes',
      { textDiffs: [{ original: uri('b.ts', 'base'), modified: uri('b.ts', 'job') }] },
      JOB,
    ],
    ['other changes', { textDiffs: [{ original: onDisk, modified: onDisk }] }, null],
    ['a file on disk', { uri: onDisk }, null],
    ['a diff with the disk', { original: onDisk, modified: onDisk }, null],
    ['a webview', { viewType: 'x' }, null],
  ];
  for (const [what, input, target] of cases)
    it(`${what}: ${JSON.stringify(target)}`, () =>
      assert.deepEqual(
        targetOfTab({ label: 'x', input }, () => null),
        target,
      ));

  it('is asked of the titles where the input says nothing', () => {
    for (const input of [undefined, null, { textDiffs: [] }, { viewType: 'x' }])
      assert.deepEqual(
        targetOfTab({ label: 'Review: x (2 files)', input }, (label) =>
          label === 'Review: x (2 files)' ? JOB : null,
        ),
        JOB,
      );
  });

  it('is not asked of the titles where the input says it is something else', () => {
    const input = { uri: onDisk };
    assert.equal(
      targetOfTab({ label: 'x', input }, () => assert.fail('asked')),
      null,
    );
  });

  it('is the job for the source of a multi-diff editor', () => {
    assert.deepEqual(targetOfUri(reviewSource('job-1')), JOB);
  });
});
