import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { alignColumns } from '../../../src/base/alignColumns.ts';
import { formatAccept } from '../../../src/cli/formatAccept.ts';
import { changeLines } from '../../../src/cli/formatChanges.ts';
import { formatReceipt } from '../../../src/cli/formatReceipt.ts';
import { LiveLine } from '../../../src/cli/liveLine.ts';
import { newLines } from '../../../src/cli/newLines.ts';
import type { ChangedFile, JobRecord } from '../../../src/protocol/job.ts';
import { sampleGate, sampleJob } from '../protocol/sampleJob.ts';
import { cliDouble } from './cliDouble.ts';

// eslint-disable-next-line no-control-regex -- that is what must not be there
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/;
const NOW = new Date('2026-11-29T12:04:12.000Z');

function changed(path: string, changes: Partial<ChangedFile> = {}): ChangedFile {
  return {
    path,
    oldPath: null,
    change: 'modified',
    additions: 1,
    deletions: 2,
    binary: false,
    oldMode: null,
    newMode: null,
    ...changes,
  };
}

function sampleTree(branch: string | null): NonNullable<JobRecord['worktree']> {
  return {
    id: 'x',
    root: '/project',
    branch,
    base: 'a'.repeat(40),
    kept: true,
    note: null,
    setup: null,
    included: [],
  };
}

describe('newLines', () => {
  it('is what was appended, however many of the first lines have left the tail', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { maxLength: 30 }),
        fc.array(fc.string(), { maxLength: 30 }),
        fc.integer({ min: 1, max: 40 }),
        (before, after, limit) => {
          // Numbered, as no two lines of a transcript are meant to be told apart by their text.
          const all = [...before, ...after].map((line, index) => `${index} ${line}`);
          const earlier = all.slice(0, before.length).slice(-limit);
          const expected = all.slice(before.length).slice(-limit);
          assert.deepEqual(newLines(earlier, all.slice(-limit)), expected);
        },
      ),
    );
  });
});

describe('alignColumns', () => {
  it('aligns, wide characters included, and leaves no space at the end of a line', () => {
    assert.equal(
      alignColumns([
        ['a', 'b', 'c'],
        ['long', '', 'd'],
        ['日本', 'x', ''],
      ]),
      'a     b  c\nlong     d\n日本  x',
    );
  });
});

describe('changeLines', () => {
  it('tells renames, binaries, modes and the sum', () => {
    const lines = changeLines([
      changed('a.ts'),
      changed('new.ts', { change: 'renamed', oldPath: 'old.ts', additions: 0, deletions: 0 }),
      changed('p.png', { change: 'added', binary: true, additions: null, deletions: null }),
      changed('run.sh', { change: 'mode', oldMode: '100644', newMode: '100755' }),
    ]);
    assert.equal(
      lines,
      [
        '  modified  a.ts              +1 -2',
        '  renamed   old.ts -> new.ts  +0 -0',
        '  added     p.png             binary',
        '  mode      run.sh            100644 -> 100755',
        '  4 files, +2 -4',
      ].join('\n'),
    );
  });
  it('says that nothing was changed', () => assert.equal(changeLines([]), 'Nothing was changed.'));
});

describe('formatReceipt', () => {
  it('names the agent that the job was given, and where its definition lay', () => {
    const agent = { name: 'coder', source: 'project-agent' };
    const receipt = formatReceipt(sampleJob({ runner: 'loop', agent }), NOW, null);
    assert.match(receipt, /^Runner +loop with agent coder \(project-agent\)/m);
  });

  it('says what is not known and not checked', () => {
    const context = { window: 200_000, used: null };
    const receipt = formatReceipt(sampleJob({ status: 'done', elapsedS: 5, context }), NOW, null);
    assert.match(receipt, /^Gate +none: nothing has checked the result$/m);
    assert.match(receipt, /^Proof +none$/m);
    assert.match(receipt, /^Tokens +unknown, window 200k$/m);
    assert.match(receipt, /^Answered by +a model that did not say its name, at tower/m);
    assert.doesNotMatch(receipt, /null|undefined|NaN/);
  });

  it('requests that brought only errors are no answer, and their text is no report of a model', () => {
    const proof = { requests: 2, endpoint: 'tower' };
    const job = sampleJob({ status: 'failed', elapsedS: 5, proof, result: 'There is an issue.' });
    const receipt = formatReceipt(job, NOW, null);
    assert.match(receipt, /^Answered by +nobody; chosen: tower/m);
    assert.match(receipt, /^What claude-code said:$/m);
    assert.match(formatReceipt(sampleJob(), NOW, null), /^Answered by +nobody so far; chosen:/m);
  });

  it('a job without a tree of its own: where it worked, and what is not known of it', () => {
    const inPlace = { status: 'done', isolation: 'none', elapsedS: 5 } as const;
    const receipt = formatReceipt(sampleJob(inPlace), NOW, null);
    assert.match(receipt, /^Changed +not known: the folder is not in a git repository$/m);
    assert.match(receipt, /^Review +not possible without git$/m);
    const worktree = sampleTree(null);
    assert.match(
      formatReceipt(sampleJob({ ...inPlace, worktree }), NOW, null),
      /^Worked in +\/project, the checkout itself$/m,
    );
  });

  it('tells fallback, gate, protected files and reviewer', () => {
    const receipt = formatReceipt(
      sampleJob({
        status: 'done',
        elapsedS: 65,
        modelServed: 'qwen3.8-27b',
        proof: { requests: 1, endpoint: 'tower' },
        fallback: { from: 'a', to: 'b', reason: 'pool_full' },
        gate: sampleGate({ status: 'tampered', protectedChanged: ['test.js'], covers: 'edited' }),
        repairRounds: 1,
        review: { status: 'accepted', by: 'agent:claude-code', at: null, files: [], dropped: [] },
        filesChanged: [changed('a.ts')],
        warnings: ['Window unknown.'],
        result: 'All good.',
        resultTruncated: true,
        resultBytes: 99,
      }),
      NOW,
      null,
    );
    for (const part of [
      /^Fallback +from a to b: pool_full$/m,
      /^Gate +tests tampered, exit 0, in 0:02, was red before the job, after 1 repair round, on content that was edited since, protected files changed: test\.js$/m,
      /^Review +accepted by agent:claude-code$/m,
      /^Proof +the bridge carried one request to tower$/m,
      /^Warning: Window unknown\.$/m,
      /^The model's report \(cut; 99 bytes in all\):$/m,
    ]) {
      assert.match(receipt, part);
    }
  });

  it('is folded to the width of a terminal, and nothing of it is lost', () => {
    const job = sampleJob({
      status: 'failed',
      failure: { kind: 'x', message: 'tower answered 503. '.repeat(9), hint: 'Wait. '.repeat(30) },
      warnings: ['The window is small. '.repeat(9).trim()],
    });
    const wide = formatReceipt(job, NOW, null);
    const narrow = formatReceipt(job, NOW, null, 80);
    const words = (text: string): string => text.split(/\s+/).join(' ');
    assert.equal(words(narrow), words(wide));
    for (const line of narrow.split('\n')) assert.ok(line.length <= 80, line);
    assert.ok(wide.split('\n').some((line) => line.length > 80));
  });

  it('is safe for a terminal, whatever a model, a server or a path says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const receipt = formatReceipt(
          sampleJob({
            status: 'failed',
            task: text,
            endpoint: text,
            modelServed: text,
            modelRequested: text,
            cwd: text,
            result: text,
            warnings: [text],
            tampered: [text],
            filesChanged: [changed(text, { oldPath: text })],
            failure: { kind: 'x', message: text, hint: text },
          }),
          NOW,
          null,
        );
        assert.doesNotMatch(receipt, UNSAFE);
      }),
    );
  });
});

describe('formatAccept', () => {
  const result = {
    status: 'applied' as const,
    applied: [{ path: 'a', how: 'merged' as const }],
    conflicts: [],
    skipped: [],
    undoRef: 'refs/x',
    commit: null,
    coverage: 'merged' as const,
  };
  it('says that merged content was never checked, and how to take it back', () => {
    const text = formatAccept({ job: sampleJob(), result }, 'Applied');
    assert.match(text, /no gate has seen this content/);
    assert.match(text, /delegate undo/);
  });
  it('a commit names its branch, and the checkout is not said to have it', () => {
    const job = sampleJob({ worktree: sampleTree('delegate/x') });
    const text = formatAccept(
      { job, result: { ...result, commit: 'abc', undoRef: null } },
      'Applied',
    );
    assert.match(
      text,
      /^Committed 1 file of \S+ as abc on the branch delegate\/x\. Your checkout is/,
    );
    assert.doesNotMatch(text, /Applied|undo/);
  });
  it('an undo offers no undo', () => {
    assert.doesNotMatch(formatAccept({ job: sampleJob(), result }, 'Put back'), /delegate undo/);
  });
  it('a refusal writes nothing and names each file', () => {
    const conflicts = [
      { path: 'a', reason: 'overlap' as const, message: 'Both changed the same lines.' },
    ];
    const text = formatAccept(
      { job: sampleJob(), result: { ...result, status: 'refused', applied: [], conflicts } },
      'Applied',
    );
    assert.match(text, /^Nothing was written: 1 conflict\.\n {2}conflict {2}a: Both changed/);
    assert.match(text, /name only others, or add --skip-conflicts\.$/m);
  });
});

describe('LiveLine', () => {
  it('writes over itself on a terminal, and never wraps', () => {
    const { context, written } = cliDouble();
    const line = new LiveLine(context.stderr, true, 10);
    line.show('123456789012345', 'running');
    line.end();
    assert.equal(written.stderr, '\r\u001b[K123456789\r\u001b[K');
  });
  it('elsewhere writes one line per phase, without escapes', () => {
    const { context, written } = cliDouble();
    const line = new LiveLine(context.stderr, false, 10);
    for (const text of ['a', 'b', 'c']) line.show(text, 'running');
    line.show('d', 'done');
    line.end();
    assert.equal(written.stderr, 'a\nd\n');
  });
});
