import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { openConflicts, readMarked } from '../../../../src/host/review/openConflicts.ts';

interface Place {
  readonly yours: readonly string[];
  readonly base: readonly string[];
  readonly job: readonly string[];
}
type Part = readonly string[] | Place;
const isPlace = (part: Part): part is Place => !Array.isArray(part);

const marked = (parts: readonly Part[]): string =>
  parts
    .flatMap((part) =>
      isPlace(part)
        ? [
            ...['<<<<<<< yours', ...part.yours, '||||||| base', ...part.base],
            ...['=======', ...part.job, '>>>>>>> job'],
          ]
        : part,
    )
    .join('\n');
const resolved = (
  parts: readonly Part[],
  choose: (place: Place, n: number) => readonly string[],
): string => {
  let n = 0;
  return parts.flatMap((part) => (isPlace(part) ? choose(part, n++) : part)).join('\n');
};

// Lines that differ by where they stand, so that every place has neighbours to be found by.
const parts = fc
  .array(fc.record({ agreed: fc.nat({ max: 2 }), base: fc.nat({ max: 2 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((shapes) => [
    ...shapes.flatMap(({ agreed, base }, n): Part[] => [
      Array.from({ length: agreed + 1 }, (_, line) => `agreed ${n}.${line}`),
      {
        yours: [`yours ${n}`],
        base: Array.from({ length: base }, (_, line) => `base ${n}.${line}`),
        job: [`job ${n}`],
      },
    ]),
    ['end', ''] as Part,
  ]);

describe('the conflicts that are left in a merge', () => {
  it('are all of them as VS Code opens it: with the text before both changes', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const places = all.filter(isPlace).length;
        assert.equal(
          openConflicts(
            marked(all),
            resolved(all, ({ base }) => base),
          ),
          places,
        );
      }),
    );
  });

  it('are those that nobody has touched, whichever way the others went', () => {
    fc.assert(
      fc.property(
        parts,
        fc.array(fc.constantFrom('yours', 'job', 'base', 'both'), { minLength: 5, maxLength: 5 }),
        (all, ways) => {
          const text = resolved(all, (place, n) => {
            const way = ways[n] ?? 'base';
            return way === 'both' ? [...place.yours, ...place.job] : place[way];
          });
          const left = all.filter(isPlace).filter((_, n) => (ways[n] ?? 'base') === 'base').length;
          assert.equal(openConflicts(marked(all), text), left);
        },
      ),
    );
  });

  it('are the markers where those are still there', () => {
    fc.assert(
      fc.property(parts, (all) => {
        assert.equal(openConflicts(marked(all), marked(all)), all.filter(isPlace).length);
      }),
    );
  });

  it('are found whatever the line ends', () => {
    const all: Part[] = [['a'], { yours: ['y'], base: ['b'], job: ['j'] }, ['c', '']];
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    assert.equal(
      openConflicts(
        crlf(marked(all)),
        resolved(all, ({ base }) => base),
      ),
      1,
    );
    assert.equal(openConflicts(marked(all), crlf(resolved(all, ({ job }) => job))), 0);
  });

  it('are none in a text without markers, and none where all was rewritten', () => {
    assert.equal(openConflicts('a\nb\n', 'a\nb\n'), 0);
    const all: Part[] = [['a'], { yours: ['y'], base: ['b'], job: ['j'] }, ['c', '']];
    assert.equal(openConflicts(marked(all), 'something else\n'), 0);
  });

  it('are not made of markers that belong to the text', () => {
    assert.deepEqual(readMarked('=======\n<<<<<<< yours\nno end\n'), [
      { kind: 'agreed', lines: ['=======', '<<<<<<< yours', 'no end', ''] },
    ]);
  });
});
