import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { newRecord } from '../../../../src/bridge/jobs/newRecord.ts';
import type { JobRecord } from '../../../../src/protocol/job.ts';
import { roundUp, thinOut } from '../../../../webview-ui/jobPanel/facts/chartScale.ts';
import { failingLines } from '../../../../webview-ui/jobPanel/facts/failingLines.ts';
import { canResume, jobActions } from '../../../../webview-ui/jobPanel/facts/jobActions.ts';
import { receiptFacts } from '../../../../webview-ui/jobPanel/facts/receiptFacts.ts';
import { absoluteTime, relativeTime } from '../../../../webview-ui/facts/relativeTime.ts';
import { RequestPoints } from '../../../../webview-ui/jobPanel/facts/requestPoints.ts';

const TREE: JobRecord['worktree'] = {
  ...{ id: 'j', root: '/trees/j', branch: 'delegate/j', base: 'a'.repeat(40), kept: true },
  ...{ note: null, setup: null, included: [] },
};
const FILE: JobRecord['filesChanged'][number] = {
  ...{ path: 'a.ts', oldPath: null, change: 'modified', additions: 1, deletions: 0 },
  ...{ binary: false, oldMode: null, newMode: null },
};
const NO_REVIEW = { by: null, at: null, files: [], dropped: [] };

function job(fields: Partial<JobRecord> = {}): JobRecord {
  return {
    ...newRecord({
      ...{ id: 'j', task: 'Do it', runner: 'claude-code', policy: 'any', cwd: '/repo' },
      client: { name: 'claude-code', session: null, pid: null },
      isolation: 'worktree',
      createdAt: '2026-11-30T08:00:00.000Z',
    }),
    ...fields,
  };
}

describe('what can be done about a job', () => {
  const pending: Partial<JobRecord> = {
    ...{ status: 'done', worktree: TREE, filesChanged: [FILE] },
    review: { status: 'pending', ...NO_REVIEW },
  };
  const rows: readonly [what: string, fields: Partial<JobRecord>, actions: string][] = [
    ['waits', { status: 'queued' }, 'cancelJob copyReceipt'],
    ['runs', { status: 'running', worktree: TREE }, 'cancelJob openWorktree copyReceipt'],
    [
      'is for review',
      pending,
      'reviewJob acceptJob rejectJob runGate retryJob openWorktree copyReceipt',
    ],
    [
      'is accepted',
      {
        ...{ status: 'done', worktree: { ...TREE, kept: false }, filesChanged: [FILE] },
        review: { ...NO_REVIEW, status: 'accepted', files: ['a.ts'] },
      },
      'undoAccept retryJob copyReceipt',
    ],
    [
      'is rejected',
      {
        ...{ status: 'done', worktree: { ...TREE, kept: false }, filesChanged: [FILE] },
        review: { ...NO_REVIEW, status: 'rejected' },
      },
      'restoreJob retryJob copyReceipt',
    ],
    ['was refused', { status: 'refused' }, 'retryJob copyReceipt'],
  ];
  for (const [what, fields, actions] of rows) {
    it(`that ${what}: ${actions}`, () =>
      assert.equal(
        jobActions(job(fields), true)
          .map(({ action }) => action)
          .join(' '),
        actions,
      ));
  }

  it('in Restricted Mode: to look, with the reason at what is off', () => {
    const buttons = jobActions(job(pending), false);
    assert.deepEqual(
      buttons.filter(({ whyOff }) => whyOff === null).map(({ action }) => action),
      ['reviewJob', 'openWorktree', 'copyReceipt'],
    );
    for (const { whyOff } of buttons) if (whyOff !== null) assert.match(whyOff, /trust/);
  });

  it('resumes only what has a session and the folder that it knows', () => {
    assert.equal(canResume(job({ status: 'done', sessionId: 's', worktree: TREE })), true);
    assert.equal(canResume(job({ status: 'running', sessionId: 's', worktree: TREE })), false);
    assert.equal(canResume(job({ status: 'done', sessionId: null, worktree: TREE })), false);
    const removed = { ...TREE, kept: false };
    assert.equal(canResume(job({ status: 'done', sessionId: 's', worktree: removed })), false);
  });
});

describe('the facts of a receipt', () => {
  const valueOf = (fields: Partial<JobRecord>, name: string): string | undefined =>
    receiptFacts(job(fields)).find((fact) => fact.name === name)?.value;

  it('say that nothing is known, and never 0', () => {
    assert.equal(valueOf({}, 'Tokens'), 'unknown');
    assert.equal(valueOf({}, 'Context'), undefined);
    assert.equal(valueOf({}, 'Answered by'), 'nobody so far');
    assert.equal(valueOf({ status: 'done' }, 'Answered by'), 'a model that did not say its name');
    assert.equal(valueOf({}, 'Gate'), 'none: nothing has checked the result');
    assert.equal(valueOf({}, 'Proof'), 'none');
  });

  it('are short where they are numbers', () => {
    assert.equal(
      valueOf({ context: { used: 40_600, window: 131_072 } }, 'Context'),
      '41k of 131k (31 %)',
    );
    assert.equal(valueOf({ speedTps: 81.6 }, 'Speed'), '82 tok/s');
    assert.equal(valueOf({ elapsedS: 252 }, 'Ran'), '4:12');
    const usage = { input: 2_400_000, output: 950, cacheRead: null, cacheWrite: null };
    assert.equal(valueOf({ usage }, 'Tokens'), '2.4M in, 950 out');
  });

  it('carry the whole time for whoever hovers', () => {
    const created = receiptFacts(job()).find((fact) => fact.name === 'Created');
    assert.equal(created?.at, '2026-11-30T08:00:00.000Z');
  });
});

describe('times', () => {
  const now = Date.parse('2026-11-30T12:00:00.000Z');
  for (const [at, expected] of [
    ['2026-11-30T11:59:30.000Z', 'just now'],
    ['2026-11-30T12:00:30.000Z', 'just now'],
    ['2026-11-30T11:57:00.000Z', '3 min ago'],
    ['2026-11-30T09:30:00.000Z', '2 h ago'],
    ['2026-11-25T09:30:00.000Z', '5 d ago'],
    ['yesterday', 'yesterday'],
  ] as const)
    it(`${at} is ${expected}`, () => assert.equal(relativeTime(at, now), expected));

  it('are absolute in full, and no time stays what it is', () => {
    assert.match(absoluteTime('2026-11-30T11:57:00.000Z'), /2026-11-30T11:57:00\.000Z/);
    assert.equal(absoluteTime('soon'), 'soon');
  });
});

describe('the lines that tell what failed', () => {
  for (const [what, output, expected] of [
    [
      'node',
      '✔ one (1ms)\n✖ two (2ms)\nℹ fail 1\n  AssertionError [ERR_ASSERTION]: no',
      ['✖ two (2ms)', 'AssertionError [ERR_ASSERTION]: no'],
    ],
    [
      'mocha',
      '  3 passing\n  1 failing\n\n  1) adds:\n     TypeError: x is null',
      ['1 failing', 'TypeError: x is null'],
    ],
    [
      'tsc',
      "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
      ["src/a.ts(3,1): error TS2304: Cannot find name 'x'."],
    ],
    [
      'eslint',
      '/a.ts\n  3:1  error  no  rule\n✖ 1 problem (1 error, 0 warnings)',
      ['3:1  error  no  rule', '✖ 1 problem (1 error, 0 warnings)'],
    ],
    [
      'pytest',
      'FAILED test_a.py::test - assert 1\nE       assert 1 == 2\n1 failed, 2 passed',
      ['FAILED test_a.py::test - assert 1', 'E       assert 1 == 2', '1 failed, 2 passed'],
    ],
    [
      'cargo',
      "error[E0425]: cannot find value\nthread 'main' panicked at src/a.rs",
      ['error[E0425]: cannot find value', "thread 'main' panicked at src/a.rs"],
    ],
    ['go', '--- FAIL: TestA (0.00s)\nFAIL\tpkg', ['--- FAIL: TestA (0.00s)', 'FAIL\tpkg']],
    ['what is fine', 'all good\n0 errors, 0 failed\nno errors', []],
    ['both', 'Found 3 errors and 0 failures', ['Found 3 errors and 0 failures']],
  ] as const)
    it(`of ${what}`, () =>
      assert.deepEqual(
        failingLines(output).map(({ text }) => text),
        expected,
      ));

  it('are bounded in number and length, for any output', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5000 }), (output) => {
        const found = failingLines(output + '\nerror: x'.repeat(3));
        assert.ok(found.length <= 40 && found.every(({ text }) => text.length <= 400));
      }),
    );
  });
});

describe('the requests behind the charts', () => {
  it('come from a recorded log: context and speed, cut anywhere', () => {
    const text = readFileSync('test/fixtures/jobPanel/requests.jsonl', 'utf8');
    fc.assert(
      fc.property(fc.nat(text.length), (cut) => {
        const requests = new RequestPoints();
        requests.append(text.slice(0, cut));
        requests.append(text.slice(cut));
        assert.deepEqual(
          requests.points.map(({ contextUsed }) => contextUsed),
          [5923, 6071, 6518, 6584, 6716],
        );
        assert.equal(requests.points[0]?.tokensPerS, 1750);
      }),
    );
  });

  it('leave out what is no turn of the session, and take anything', () => {
    const requests = new RequestPoints();
    const line = (fields: object): string =>
      `${JSON.stringify({ path: '/v1/messages', status: 200, tools: 3, ...fields })}\n`;
    requests.append(
      line({ path: '/v1/messages/count_tokens' }) +
        line({ status: 503 }) +
        line({ tools: 0 }) +
        'no json\n[]\nnull\n' +
        line({ usage: { input: null, output: 'many' } }),
    );
    assert.deepEqual(requests.points, [
      { at: null, contextUsed: null, tokensPerS: null, firstTokenMs: null, outputTokens: null },
    ]);
  });
});

describe('the scale of a chart', () => {
  it('keeps the peak of each stretch', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 900, size: 'max' }),
        (values) => {
          const points = values.map((y, x) => ({ x, y }));
          const thin = thinOut(points, 50);
          assert.ok(thin.length <= Math.max(50, 0) || points.length <= 50);
          const peak = (all: readonly { y: number }[]): number =>
            Math.max(...all.map(({ y }) => y));
          assert.equal(peak(thin), peak(points));
        },
      ),
    );
  });

  it('ends at a round number above all', () => {
    assert.deepEqual([0, 3, 82, 101, 131_072].map(roundUp), [1, 5, 100, 200, 200_000]);
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 1e9, noNaN: true }),
        (value) => roundUp(value) >= value,
      ),
    );
  });
});
