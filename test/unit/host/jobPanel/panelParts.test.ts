import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { newRecord } from '../../../../src/bridge/jobs/newRecord.ts';
import { readPageMessage, readPanelState } from '../../../../src/host/jobPanel/readPageMessage.ts';
import { RecordDelta } from '../../../../src/host/jobPanel/recordDelta.ts';
import { type JobRecord, jobRecordSchema } from '../../../../src/protocol/job.ts';
import { PANEL_ACTIONS } from '../../../../src/protocol/jobPanel/panelActions.ts';
import { panelMessageSchema } from '../../../../src/protocol/jobPanel/panelMessages.ts';

const RECORD: JobRecord = newRecord({
  ...{ id: 'j', task: 'Do it', runner: 'claude-code', policy: 'any', cwd: '/repo' },
  client: { name: 'claude-code', session: null, pid: null },
  isolation: 'worktree',
  createdAt: '2026-11-30T08:00:00.000Z',
});

describe('what a page may say', () => {
  const understood: readonly unknown[] = [
    { type: 'ready' },
    ...PANEL_ACTIONS.map((action) => ({ type: 'act', action })),
    { type: 'act', action: 'resumeJob', message: 'go on' },
    { type: 'openChange', path: 'src/a.ts' },
    { type: 'openJob', jobId: 'claude-code-1' },
    { type: 'loadEarlier', before: 4096 },
    { type: 'openLogFile', what: 'gate' },
    { type: 'blocked', directive: 'img-src', uri: 'inline' },
  ];
  for (const message of understood)
    it(`understood: ${JSON.stringify(message)}`, () =>
      assert.deepEqual(readPageMessage(message), message));

  const refused: readonly unknown[] = [
    null,
    'ready',
    [],
    { type: 'readyy' },
    { type: 'ready', more: 1 },
    { type: 'act', action: 'restartServer' },
    { type: 'act', action: 'resumeJob', message: '' },
    { type: 'act', action: 'resumeJob', message: 'x'.repeat(20_001) },
    { type: 'openChange', path: '' },
    { type: 'openJob', jobId: '../../etc/passwd' },
    { type: 'loadEarlier', before: 0 },
    { type: 'loadEarlier', before: 1.5 },
    { type: 'openLogFile', what: 'host' },
    { type: 'runCommand', command: 'workbench.action.terminal.new' },
  ];
  for (const message of refused)
    it(`not understood: ${JSON.stringify(message)?.slice(0, 80)}`, () =>
      assert.equal(readPageMessage(message), null));

  it('never throws at anything else', () => {
    fc.assert(fc.property(fc.anything(), (message) => void readPageMessage(message)));
  });
});

describe('what VS Code keeps of a panel', () => {
  it('comes back as it was', () => {
    const state = { jobId: 'claude-code-1', mode: 'transcript', draft: 'go', place: 12 };
    assert.deepEqual(readPanelState(state), state);
  });

  it('needs a job, and does with the usual for the rest', () => {
    assert.deepEqual(readPanelState({ jobId: 'j', mode: 'of tomorrow', place: 'top' }), {
      ...{ jobId: 'j', mode: 'timeline', draft: '', place: null },
    });
    for (const state of [null, undefined, {}, { jobId: '' }, { jobId: 'a/b' }, { jobId: 3 }])
      assert.equal(readPanelState(state), null);
  });
});

describe('the record that a page is told', () => {
  it('is whole at first, then only what is another now', () => {
    const delta = new RecordDelta();
    const first = delta.next(RECORD);
    assert.deepEqual(Object.keys(first ?? {}).sort(), Object.keys(jobRecordSchema.shape).sort());
    assert.equal(delta.next(RECORD), null);
    assert.deepEqual(delta.next({ ...RECORD, turns: 3, status: 'running' }), {
      ...{ status: 'running', turns: 3 },
    });
    delta.forget();
    assert.ok(Object.keys(delta.next(RECORD) ?? {}).length > 20);
  });

  it('is understood by the page, whole and in part', () => {
    const delta = new RecordDelta();
    for (const record of [RECORD, { ...RECORD, turns: 3 }]) {
      const message = { type: 'record', fields: delta.next(record), queuePosition: null };
      assert.equal(panelMessageSchema.safeParse(message).success, true);
    }
  });
});
