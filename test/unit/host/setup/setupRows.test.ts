import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import {
  confirmLabel,
  describeSetupDone,
  restOfParts,
  setupRows,
} from '../../../../src/host/setup/setupRows.ts';
import type { SetupPlan } from '../../../../src/protocol/ui/uiTools.ts';

type Part = SetupPlan['parts'][number];

const part = (more: Partial<Part>): Part => ({
  ...{ part: 'skill', title: 'The skill', state: 'absent', problem: null, note: null },
  changes: [],
  ...more,
});
const change = { file: '/home/x/f', beforeSha256: null, afterSha256: 'a', splice: null };
const plan = (...parts: Part[]): SetupPlan => ({ launcher: '/l', parts });

describe('the rows of Set Up Claude Code', () => {
  const table: readonly [string, Part, readonly unknown[] | null][] = [
    ['absent', part({ changes: [change] }), ['not there', '/home/x/f', true, false]],
    [
      'outdated',
      part({ state: 'outdated', changes: [change] }),
      ['an older version is there', '/home/x/f', true, false],
    ],
    ['installed: nothing to do', part({ state: 'installed' }), null],
    ['unknown: nothing can be done', part({ state: 'unknown', problem: 'Broken.' }), null],
    [
      'changed: offered, never checked by itself',
      part({ state: 'changed', problem: 'Changed.' }),
      [
        'changed since it was written',
        'Replaces what you or somebody else has written there.',
        false,
        true,
      ],
    ],
  ];
  for (const [name, given, expected] of table) {
    it(name, () => {
      const rows = setupRows(plan(given), 'install').map((row) => [
        row.description,
        row.detail,
        row.isChecked,
        row.needsForce,
      ]);
      assert.deepEqual(rows, expected === null ? [] : [expected]);
    });
  }

  it('names the files that a part writes, and says what goes', () => {
    const [row] = setupRows(
      plan(part({ changes: [change, { ...change, file: '/b' }] })),
      'install',
    );
    assert.equal(row?.detail, '/home/x/f · /b');
    const [gone] = setupRows(plan(part({ state: 'changed' })), 'remove');
    assert.match(gone?.detail ?? '', /^Removes what/);
  });

  it('says why of the parts that have no row', () => {
    const all = plan(
      part({ state: 'unknown', problem: 'Broken.' }),
      part({ state: 'changed', problem: 'Changed.' }),
      part({ state: 'installed' }),
    );
    assert.deepEqual(restOfParts(all), ['Broken.']);
  });

  it('counts only what succeeded', () => {
    const parts = [part({ state: 'installed' }), part({ part: 'hook', problem: 'No.' })];
    assert.equal(
      describeSetupDone(parts, 'install'),
      'Claude Code is set up (skill). Start its sessions again to use it.',
    );
    assert.equal(describeSetupDone(parts, 'remove'), 'Removed from Claude Code: skill.');
    assert.equal(describeSetupDone([part({ problem: 'No.' })], 'install'), '');
    assert.equal(confirmLabel(1, 'install'), 'Write 1 file');
    assert.equal(confirmLabel(3, 'remove'), 'Write or remove 3 files');
  });
});
