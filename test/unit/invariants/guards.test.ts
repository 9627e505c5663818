import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'mocha';

interface Guard {
  readonly invariant: number;
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly test: string;
  readonly grep: string;
}

const ROOT = resolve(import.meta.dirname, '../../..');
const LIST = '../../../tools/guards/guardList.mjs';
const { GUARDS } = (await import(LIST)) as { GUARDS: readonly Guard[] };

/** `npm run test:guards` takes each guard out and looks for a red test; that is too long for every run, so here is what rots first. */
describe('the guards of the invariants', () => {
  for (const { invariant, what, file, find, replace, test, grep } of GUARDS) {
    it(`${invariant}: ${what} stands once in ${file}, and its test exists`, () => {
      const pieces = readFileSync(join(ROOT, file), 'utf8').split(find);
      assert.equal(pieces.length - 1, 1, `"${find}" stands ${pieces.length - 1} times in ${file}`);
      assert.notEqual(find, replace);
      assert.ok(existsSync(join(ROOT, test)), test);
      assert.notEqual(grep, '');
    });
  }

  it('every invariant has one, the heavy ones several', () => {
    const counts = new Map<number, number>();
    for (const { invariant } of GUARDS) counts.set(invariant, (counts.get(invariant) ?? 0) + 1);
    const least = (invariant: number): number => ([2, 3, 6, 8, 12, 13].includes(invariant) ? 2 : 1);
    for (let invariant = 1; invariant <= 13; invariant += 1) {
      const count = counts.get(invariant) ?? 0;
      assert.ok(count >= least(invariant), `invariant ${invariant} has ${count} guards`);
    }
  });
});
