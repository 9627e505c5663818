import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import {
  type Conflict,
  ConflictSession,
  stepsFor,
} from '../../../../src/host/review/conflictList.ts';

const conflict = (path: string, reason: Conflict['reason']): Conflict => ({
  ...{ path, reason, message: `${path}: ${reason}` },
});
const paths = (conflicts: readonly Conflict[]): string[] => conflicts.map(({ path }) => path);

describe('an accept that met conflicts', () => {
  const begin = (): ConflictSession => {
    const session = new ConflictSession('job-1', ['a', 'b', 'c', 'd']);
    session.conflicts = [
      conflict('a', 'overlap'),
      conflict('b', 'deleted_by_user'),
      conflict('c', 'overlap'),
    ];
    return session;
  };

  it('has all of them open, and the rest clean', () => {
    const session = begin();
    assert.deepEqual(paths(session.open), ['a', 'b', 'c']);
    assert.deepEqual(paths(session.toMerge), ['a', 'c']);
    assert.equal(session.clean, 1);
    assert.deepEqual(session.place('c'), { at: 2, of: 2 });
  });

  it('settles each in its own way: merged, kept, left', () => {
    const session = begin();
    session.resolved.set('a', 'dGV4dA==');
    session.files.delete('b');
    session.left.add('c');
    assert.deepEqual(session.open, []);
    assert.deepEqual(session.takable, ['a', 'd']);
  });

  it('asks again for a text that the engine did not take', () => {
    const session = begin();
    session.resolved.set('a', 'dGV4dA==');
    session.conflicts = [conflict('a', 'unresolved')];
    assert.deepEqual(paths(session.open), ['a']);
    assert.equal(session.resolved.size, 0);
  });

  it('keeps a text whose target has an unsaved editor, and asks the engine again after the save', () => {
    const session = begin();
    session.resolved.set('a', 'dGV4dA==');
    session.conflicts = [conflict('a', 'dirty_editor'), conflict('d', 'dirty_editor')];
    assert.equal(session.resolved.size, 1);
    session.saved('d');
    assert.deepEqual(session.open, []);
  });

  it('offers a merge for texts alone, and never to overwrite what the job deletes', () => {
    assert.equal(stepsFor(conflict('a', 'overlap'))[0], 'merge');
    assert.deepEqual(stepsFor(conflict('a', 'binary')), ['take', 'keep', 'leave']);
    assert.deepEqual(stepsFor(conflict('a', 'deleted_by_job')), ['keep', 'leave']);
    assert.deepEqual(stepsFor(conflict('a', 'dirty_editor')), ['save', 'leave']);
  });
});
