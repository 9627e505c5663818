import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { FIRST_DELEGATION, type Delegation } from '../../../../src/host/delegate/delegation.ts';
import { runSteps, type Step, type StepEnd } from '../../../../src/host/delegate/runSteps.ts';

/** Steps that end as told, each adding its name to the text. */
async function walk(ends: readonly StepEnd['kind'][], from?: Step) {
  const visited: Step[] = [];
  const kept: Delegation[] = [];
  let index = 0;
  const step =
    (name: Step) =>
    async (delegation: Delegation): Promise<StepEnd> => {
      visited.push(name);
      const kind = ends[index++];
      if (kind === undefined) throw new Error(`The test did not expect the step ${name}.`);
      return { kind, delegation: { ...delegation, text: `${delegation.text}${name} ` } };
    };
  const steps = { what: step('what'), who: step('who'), how: step('how') };
  const result = await runSteps(FIRST_DELEGATION, steps, (each) => kept.push(each), from);
  return { visited, result, kept };
}

describe('runSteps', () => {
  const cases: [readonly StepEnd['kind'][], Step | undefined, readonly Step[], boolean][] = [
    [['next', 'next', 'next'], undefined, ['what', 'who', 'how'], true],
    [['leave'], undefined, ['what'], false],
    [['next', 'back', 'next', 'leave'], undefined, ['what', 'who', 'what', 'who'], false],
    [['back', 'leave'], undefined, ['what', 'what'], false],
    [['next'], 'how', ['how'], true],
    [['back', 'next', 'next'], 'how', ['how', 'who', 'how'], true],
  ];
  for (const [ends, from, expected, isDone] of cases) {
    it(`${ends.join(', ')}${from === undefined ? '' : ` from ${from}`} goes ${expected.join(' → ')}`, async () => {
      const { visited, result } = await walk(ends, from);
      assert.deepEqual(visited, expected);
      assert.equal(result !== null, isDone);
    });
  }

  it('keeps the answers after every step, whatever its end, and hands them to the next', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<StepEnd['kind']>('next', 'back'), { maxLength: 12 }),
        async (path) => {
          const { visited, kept, result } = await walk([...path, 'leave', 'leave']);
          assert.equal(kept.length, visited.length);
          assert.equal(kept.at(-1)?.text, visited.map((name) => `${name} `).join(''));
          if (result !== null) assert.equal(result, kept.at(-1));
        },
      ),
    );
  });
});
