import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { cleanUpRows } from '../../../../src/host/start/cleanUpRows.ts';
import { sizeWords } from '../../../../src/host/start/sizeWords.ts';

describe('cleanUpRows', () => {
  it('says what goes, what stays and why, the largest first, and what all of it takes', () => {
    const rows = cleanUpRows({
      removedJobs: ['old'],
      freedBytes: 12_300_000,
      kept: [
        { jobId: 'small', why: 'it waits for review' },
        { jobId: 'tree', why: 'its worktree is still there' },
      ],
      needsCleanUp: [],
      disk: [
        { jobId: 'old', bytes: 12_300_000, treeBytes: null },
        { jobId: 'small', bytes: 900, treeBytes: null },
        { jobId: 'tree', bytes: 1_000, treeBytes: 40_000_000 },
        { jobId: 'young', bytes: 5_000, treeBytes: null },
      ],
    });
    assert.deepEqual(rows, {
      action: 'Remove the logs of 1 job',
      actionDetail: 'Frees 12 MB. Receipts stay, and so does every job that waits for review.',
      goes: [{ jobId: 'old', description: '12 MB' }],
      stays: [
        {
          jobId: 'tree',
          description: '1.0 kB and a worktree of 40 MB · its worktree is still there',
        },
        { jobId: 'young', description: '5.0 kB · not old enough' },
        { jobId: 'small', description: '900 B · it waits for review' },
      ],
      total: '52 MB',
    });
  });

  it('offers to try leftovers again when nothing would go', () => {
    const rows = cleanUpRows({
      ...{ removedJobs: [], freedBytes: 0, kept: [], needsCleanUp: [], disk: [] },
    });
    assert.equal(rows.action, 'Try leftovers of earlier clean-ups again');
    assert.equal(rows.total, '0 B');
  });

  it('writes sizes short', () => {
    for (const [bytes, words] of [
      [0, '0 B'],
      [999, '999 B'],
      [1000, '1.0 kB'],
      [9_950, '9.9 kB'],
      [999_400, '999 kB'],
      [999_600, '1.0 MB'],
      [1_400_000_000, '1.4 GB'],
      [5e15, '5000 TB'],
    ] as const)
      assert.equal(sizeWords(bytes), words);
  });
});
