import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import {
  readReviewSource,
  readReviewUri,
  REVIEW_SIDES,
  reviewSource,
  reviewUri,
} from '../../../../src/host/review/reviewUri.ts';

const ODD_NAMES = [
  'a.txt',
  '-dash.txt',
  'with space.md',
  'quote "it\'s".txt',
  'emoji 🎉 ä.md',
  '100%.txt',
  '%2e%2e/x',
  'a?b#c&job=other',
  'a+b=c.txt',
  'new\nline',
  'tab\tname',
  'back\\slash',
  'ü/é/日本語.ts',
  'a//b',
  '?',
  '#',
];

const path = fc.oneof(
  fc.constantFrom(...ODD_NAMES),
  fc
    .array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map((part) => part.replaceAll('/', '_')).join('/')),
);
const jobId = fc.oneof(
  fc.stringMatching(/^[a-z0-9-]{4,40}$/),
  fc.string({ minLength: 1 }).filter((id) => !id.includes('/')),
);

describe('URIs of a review', () => {
  it('name the file and the job again, whatever they are called', () => {
    fc.assert(
      fc.property(
        path,
        jobId,
        fc.constantFrom(...REVIEW_SIDES),
        fc.boolean(),
        (name, id, side, isNothing) => {
          const uri = reviewUri({ jobId: id, path: name, side }, isNothing);
          assert.deepEqual(readReviewUri(uri), { jobId: id, path: name, side, isNothing });
          assert.equal(readReviewSource(uri), null);
        },
      ),
    );
  });

  it('have the same path on both sides, so that VS Code takes them for one file', () => {
    fc.assert(
      fc.property(path, jobId, (name, id) => {
        const [base, job] = (['base', 'job'] as const).map((side) =>
          reviewUri({ jobId: id, path: name, side }),
        );
        assert.equal(base?.path, job?.path);
        assert.notEqual(base?.scheme, job?.scheme);
      }),
    );
  });

  it('tell the four texts of a merge apart', () => {
    const uris = REVIEW_SIDES.map((side) =>
      JSON.stringify(reviewUri({ jobId: 'j', path: 'a', side })),
    );
    assert.equal(new Set(uris).size, REVIEW_SIDES.length);
  });

  it('name the job of a whole review, and nothing else', () => {
    fc.assert(
      fc.property(jobId, (id) => {
        assert.equal(readReviewSource(reviewSource(id)), id);
        assert.equal(readReviewUri(reviewSource(id)), null);
      }),
    );
  });

  for (const [what, parts] of Object.entries({
    'another scheme': { scheme: 'file', path: '/a', query: 'job=1' },
    'no job': { scheme: 'delegate-job', path: '/a', query: '' },
    'an empty job': { scheme: 'delegate-job', path: '/a', query: 'job=' },
    'no path': { scheme: 'delegate-job', path: '/', query: 'job=1' },
    'a path without root': { scheme: 'delegate-job', path: 'a', query: 'job=1' },
    'a merge without side': { scheme: 'delegate-merge', path: '/a', query: 'job=1' },
    'a merge of a side of a review': {
      scheme: 'delegate-merge',
      path: '/a',
      query: 'job=1&side=job',
    },
    'an unknown side': { scheme: 'delegate-merge', path: '/a', query: 'job=1&side=mine' },
  }))
    it(`is nothing for ${what}`, () => assert.equal(readReviewUri(parts), null));
});
