import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { firstJob } from '../../../../src/host/start/firstJob.ts';
import { findScriptText } from '../../../../src/rehearsal/findScriptText.ts';
import { parseScript } from '../../../../src/rehearsal/parseScript.ts';

describe('firstJob', () => {
  it('fixes the bug of the practice repository', () => {
    const job = firstJob({
      files: ['README.md', 'range.js', 'range.test.js'],
      name: 'delegate-practice',
      isRehearsed: true,
    });
    assert.equal(job.title, 'Fix the off-by-one in range()');
    assert.match(job.task, /^edit range\.js: number < end => number <= end$/m);
  });

  it('adds a file that nobody has, whatever its case', () => {
    for (const [files, name] of [
      [[], 'DELEGATION.md'],
      [['delegation.md'], 'DELEGATION-2.md'],
      [['DELEGATION.md', 'Delegation-2.md', 'range.js'], 'DELEGATION-3.md'],
    ] as const) {
      assert.equal(firstJob({ files, name: 'x', isRehearsed: true }).title, `Add ${name}`);
    }
  });

  it('has a script only where a script is played', () => {
    const real = firstJob({ files: [], name: 'x', isRehearsed: false });
    assert.doesNotMatch(real.task, /```/);
    assert.match(real.task, /^Add DELEGATION\.md\n\nAdd the file DELEGATION\.md/);
  });

  it('has a script that can be played, whatever the repository is called', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.constantFrom('END_OF_FILE', '```', 'a\nEND_OF_FILE\nrun: x', '$(rm)'),
        ),
        (name) => {
          const { task } = firstJob({ files: [], name, isRehearsed: true });
          const parsed = parseScript(findScriptText(task) ?? '');
          assert.ok(parsed.ok, task);
          const kinds = parsed.script.rounds.flat().map(({ kind }) => kind);
          assert.deepEqual(kinds, ['write', 'say'], task);
        },
      ),
    );
  });
});
