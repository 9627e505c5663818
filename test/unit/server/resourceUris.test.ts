import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { parseResourceUri, urisOf } from '../../../src/server/resourceUris.ts';
import { sampleJob } from '../protocol/sampleJob.ts';

describe('parseResourceUri', () => {
  const cases: [string, unknown][] = [
    ['delegate://jobs', { kind: 'jobs' }],
    ['delegate://ledger', { kind: 'ledger' }],
    ['delegate://jobs/loop-1', { kind: 'job', jobId: 'loop-1' }],
    ['delegate://jobs/loop-1/transcript', { kind: 'transcript', jobId: 'loop-1' }],
    ['delegate://jobs/loop-1/diff', { kind: 'diff', jobId: 'loop-1' }],
    ['delegate://jobs/', null],
    ['delegate://jobs/../../etc', null],
    ['delegate://jobs/loop-1/host.log', null],
    ['http://jobs', null],
    ['delegate://jobs/a%2f..%2fb', null],
  ];
  for (const [uri, expected] of cases) {
    it(uri, () => assert.deepEqual(parseResourceUri(uri), expected));
  }

  it('never lets a path through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const ref = parseResourceUri(`delegate://jobs/${text}`);
        if (ref !== null && 'jobId' in ref) assert.match(ref.jobId, /^[a-z0-9-]+$/);
      }),
    );
  });

  it('each address that a change names can be read', () => {
    const uris = urisOf([sampleJob({ status: 'done' })]);
    assert.ok(uris.every((uri) => parseResourceUri(uri) !== null));
    assert.ok(uris.includes('delegate://ledger'));
    assert.ok(
      !urisOf([sampleJob()]).includes('delegate://ledger'),
      'there is no receipt before the end',
    );
  });
});
