import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { ReviewFile } from '../../../../src/host/review/changeNotes.ts';
import {
  changeTitle,
  gateQuestion,
  gateWords,
  named,
  reviewStatus,
  withoutIcons,
} from '../../../../src/host/review/reviewWords.ts';
import type { GateResult, JobRecord } from '../../../../src/protocol/job.ts';
import type { ReviewState } from '../../../../src/protocol/ui/uiTools.ts';

const GATE: GateResult = {
  ...{ name: 'tests', kind: 'tests', status: 'passed', base: 'red', covers: 'exact', exit: 0 },
  ...{ durationS: 1, tail: '', protectedChanged: [] },
};
const file = (path: string, decision: ReviewFile['decision'] = 'open'): ReviewFile => ({
  ...{ path, oldPath: null, change: 'modified', additions: 1, deletions: 1, binary: false },
  ...{ oldMode: '100644', newMode: '100644', decision },
});
const state = (files: ReviewFile[], gateCovers: ReviewState['gateCovers'] = 'exact') =>
  ({ jobId: 'j', base: null, repoRoot: null, root: null, note: null, files, gateCovers }) as const;
const job = (gate: GateResult | null): Pick<JobRecord, 'gate'> => ({
  gate,
});
const at = (path: string) => ({ kind: 'file', jobId: 'j', path }) as const;

describe('what the status bar says about a review', () => {
  const files = [file('a'), file('b', 'taken'), file('c', 'dropped')];
  const all = { kind: 'job', jobId: 'j' } as const;
  const cases: [string, string, boolean][] = [
    [text(GATE, 'exact', at('a')), 'File 1 of 3 · gate passed on this content', false],
    [text(GATE, 'exact', at('b')), 'File 2 of 3, accepted · gate passed on this content', false],
    [text(GATE, 'exact', at('c')), 'File 3 of 3, rejected · gate passed on this content', false],
    [text(GATE, 'exact', all), '3 files, 2 decided · gate passed on this content', false],
    [text(GATE, 'edited', at('a')), 'File 1 of 3 · edited since the gate ran', true],
    [text(GATE, 'merged', at('a')), 'File 1 of 3 · merged since the gate ran', true],
    [text(null, null, at('a')), 'File 1 of 3 · no gate', false],
    [
      text({ ...GATE, status: 'failed', exit: 3 }, 'exact', at('a')),
      'File 1 of 3 · gate tests failed (exit 3)',
      false,
    ],
    [
      text({ ...GATE, status: 'tampered' }, 'edited', at('a')),
      'File 1 of 3 · gate tests was tampered with',
      true,
    ],
    [text(GATE, 'exact', at('gone')), '3 files, 2 decided · gate passed on this content', false],
  ];
  function text(
    gate: GateResult | null,
    covers: ReviewState['gateCovers'],
    target: Parameters<typeof reviewStatus>[2],
  ): string {
    const { text: said, isGateOld } = reviewStatus(job(gate), state(files, covers), target);
    return `${said}|${isGateOld}`;
  }
  for (const [said, wanted, isOld] of cases)
    it(wanted, () => assert.equal(said, `${wanted}|${isOld}`));
});

describe('the question before an accept', () => {
  const record = (status: 'done' | 'failed' | 'cancelled', gate: GateResult | null) => ({
    ...{ id: 'j', status, gate, finishedAt: '2026-01-01T00:00:00Z' },
  });
  const cases: [string, Parameters<typeof gateQuestion>[0], string | null][] = [
    ['a passed gate', record('done', GATE), null],
    [
      'a failed gate',
      record('done', { ...GATE, status: 'failed', exit: 1 }),
      'The gate tests failed. Accept all the same?',
    ],
    [
      'a tampered gate',
      record('done', { ...GATE, status: 'tampered' }),
      'The job changed what the gate tests protects. Accept all the same?',
    ],
    ['no gate', record('done', null), 'No gate has checked this job. Accept all the same?'],
    [
      'a gate that says nothing',
      record('done', { ...GATE, status: 'none' }),
      'No gate has checked this job. Accept all the same?',
    ],
    ['a job that failed', record('failed', GATE), 'The job ended as failed. Accept all the same?'],
    [
      'a cancelled job without gate',
      record('cancelled', null),
      'The job ended as cancelled. Accept all the same?',
    ],
  ];
  for (const [what, of, wanted] of cases)
    it(`${what}: ${wanted ?? 'none'}`, () =>
      assert.equal(gateQuestion(of, 0)?.question ?? null, wanted));

  it('is another one after an edit, another run or another verdict', () => {
    const failed = record('done', { ...GATE, status: 'failed', exit: 1 });
    const key = gateQuestion(failed, 0)?.key;
    assert.equal(gateQuestion(structuredClone(failed), 0)?.key, key);
    assert.notEqual(gateQuestion(failed, 1)?.key, key);
    assert.notEqual(
      gateQuestion(record('done', { ...GATE, status: 'failed', exit: 2 }), 0)?.key,
      key,
    );
    assert.notEqual(gateQuestion({ ...failed, finishedAt: 'later' }, 0)?.key, key);
  });
});

describe('words of a review', () => {
  it('name a change by its file, its job and what the diff does not show', () => {
    assert.equal(
      changeTitle('src/range.ts', 'Fix the off-by-one\nand more', ['mode 644 → 755']),
      'range.ts (job: Fix the off-by-one) · mode 644 → 755',
    );
  });
  it('say what of a gate that was not edited since', () =>
    assert.equal(gateWords(GATE), 'gate passed on this content'));
  it('name the first few of many', () => {
    assert.equal(named(['a', 'b']), 'a, b');
    assert.equal(named(['a', 'b', 'c', 'd', 'e']), 'a, b, c and 2 more');
  });
  it('have no icons of foreign text', () =>
    assert.equal(withoutIcons('$(trash) $$(x)'), '$ (trash) $$ (x)'));
});
