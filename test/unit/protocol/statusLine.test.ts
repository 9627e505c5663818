import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { JOB_STATUSES, type JobRecord } from '../../../src/protocol/job.ts';
import { statusLine } from '../../../src/protocol/statusLine.ts';
import { sampleGate, sampleJob } from './sampleJob.ts';

// eslint-disable-next-line no-control-regex -- that is what must not be there
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/;
const NOW = new Date('2026-11-29T12:04:12.000Z');
const failure = { kind: 'backend_error', message: 'tower answered 503.', hint: '' };
const at = (time: string, text: string) => ({ at: `2026-11-29T${time}.000Z`, text });

const CASES: readonly [string, Partial<JobRecord>, string, number?][] = [
  [
    'all that a running job tells',
    {
      turns: 9,
      context: { window: 131_072, used: 40_632 },
      speedTps: 82.4,
      lastActivity: at('12:04:00', 'Edit src/range.ts'),
    },
    'running 4:12 · turn 9 · ctx 31 % · 82 tok/s · Edit src/range.ts',
  ],
  [
    'unknown is left out, never 0',
    { startedAt: '2026-11-29T12:03:52.000Z' },
    'running 0:20 · no answer yet',
  ],
  [
    'a job that says nothing for two minutes',
    { turns: 1, lastActivity: at('12:01:32', 'Bash npm test') },
    'running 4:12 · turn 1 · no progress for 2:40 · Bash npm test',
  ],
  [
    'a stand-in, whatever the state',
    { status: 'gating', turns: 2, fallback: { from: 'glm-5', to: 'qwen', reason: 'full' } },
    'gate running 4:12 · fallback from glm-5 · turn 2',
  ],
  [
    'a window of 0 divides nothing',
    { context: { window: 0, used: 5 }, lastActivity: at('12:04:00', 'x') },
    'running 4:12 · x',
  ],
  [
    'waiting',
    { status: 'queued', queueReason: 'pool_full', startedAt: null },
    'waiting 4:12 · 2nd in line · pool full',
    2,
  ],
  ['starting', { status: 'starting', startedAt: null }, 'starting 4:12'],
  ['gate', { status: 'gating', turns: 3 }, 'gate running 4:12 · turn 3'],
  ['done, not checked', { status: 'done', elapsedS: 61 }, 'done in 1:01 · no gate'],
  [
    'done, gate failed',
    {
      status: 'done',
      elapsedS: 61,
      gate: sampleGate({ status: 'failed', exit: 1 }),
      review: { status: 'pending', by: null, at: null, files: [], dropped: [] },
    },
    'done in 1:01, but its gate failed (tests, exit 1) · review pending',
  ],
  [
    'done, gate tampered with',
    { status: 'done', elapsedS: 61, gate: sampleGate({ status: 'tampered', exit: null }) },
    'done in 1:01, but its gate was tampered with (tests)',
  ],
  [
    'done, gate passed',
    { status: 'done', elapsedS: 61, gate: sampleGate() },
    'done in 1:01 · gate tests passed',
  ],
  [
    'failed',
    { status: 'failed', elapsedS: 20, failure },
    'failed after 0:20 · tower answered 503.',
  ],
  ['refused', { status: 'refused', failure }, 'refused · tower answered 503.'],
  ['long runs', { status: 'cancelled', elapsedS: 3723 }, 'cancelled after 1:02:03'],
  [
    'a clock that was put back',
    { startedAt: '2026-11-29T13:00:00.000Z', lastActivity: at('13:00:00', 'x') },
    'running 0:00 · x',
  ],
];

describe('statusLine', () => {
  for (const [name, changes, expected, position] of CASES) {
    it(name, () => {
      assert.equal(statusLine(sampleJob(changes), NOW, position ?? null), expected);
    });
  }

  it('is one line without control characters, whatever a model wrote', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...JOB_STATUSES),
        fc.string({ unit: 'binary', maxLength: 400 }),
        (status, text) => {
          const job = sampleJob({
            status,
            lastActivity: at('12:04:00', text),
            failure: { ...failure, message: text },
            gate: sampleGate({ name: text }),
            fallback: { from: text, to: text, reason: text },
          });
          const line = statusLine(job, NOW);
          assert.doesNotMatch(line, UNSAFE);
          assert.ok(line.length < 400, String(line.length));
        },
      ),
    );
  });
});
