import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { ConfigEdit } from '../../../../src/protocol/modelsLanguage/configEdit.ts';
import { Drafts } from '../../../../webview-ui/registryForm/facts/drafts.ts';
import { EditQueue } from '../../../../webview-ui/registryForm/facts/editQueue.ts';

const EDIT: ConfigEdit = { kind: 'remove', path: ['a'] };

/** A queue with a clock that is turned by hand, and what it has said. */
function queue() {
  const sent: { id: number; version: number }[] = [];
  const ends: string[] = [];
  let timer: { callback: () => void; delayMs: number } | null = null;
  const made = new EditQueue({
    post: (id, version) => sent.push({ id, version }),
    later: (callback, delayMs) => {
      const mine = { callback, delayMs };
      timer = mine;
      return () => {
        if (timer === mine) timer = null;
      };
    },
  });
  return {
    ...{ sent, ends },
    push: (name: string, make: () => ConfigEdit[] | null = () => [EDIT]) =>
      made.push(make, (outcome, message) => ends.push(`${name} ${outcome} ${message}`.trim())),
    state: (version: number) => made.onState(version),
    edited: (id: number, outcome: 'done' | 'stale' | 'refused', message = '') =>
      made.onEdited(id, outcome, message),
    runOut: () => {
      assert.ok(timer !== null, 'something is waited for');
      const { callback } = timer;
      timer = null;
      callback();
    },
    isWaiting: () => timer !== null,
  };
}

describe('edits that follow each other', () => {
  it('go one by one, each from the version that the one before has made', () => {
    const q = queue();
    q.state(1);
    q.push('first');
    q.push('second');
    assert.deepEqual(q.sent, [{ id: 1, version: 1 }]);
    q.edited(1, 'done');
    assert.deepEqual(q.ends, [], 'what it made is not there yet');
    q.state(2);
    assert.deepEqual(q.ends, ['first done']);
    assert.deepEqual(q.sent.at(-1), { id: 2, version: 2 });
    q.state(3);
    q.edited(2, 'done');
    assert.deepEqual(q.ends, ['first done', 'second done']);
    assert.equal(q.isWaiting(), false);
  });

  it('say what became of them, and the next one goes all the same', () => {
    const q = queue();
    q.state(1);
    q.push('first');
    q.push('second');
    q.edited(1, 'refused', 'no');
    q.edited(2, 'stale');
    assert.deepEqual(q.ends, ['first refused no', 'second stale']);
    assert.equal(q.sent.length, 2);
  });

  it('are made when it is their turn, and left out when nothing is left to do', () => {
    const q = queue();
    q.state(1);
    let isThere = true;
    q.push('first');
    q.push('second', () => (isThere ? [EDIT] : null));
    q.push('third', () => []);
    isThere = false;
    q.edited(1, 'refused', 'no');
    assert.deepEqual(q.ends, ['first refused no', 'second done', 'third done']);
    assert.equal(q.sent.length, 1);
  });

  it('wait neither for a state that never comes nor for an answer that never comes', () => {
    const q = queue();
    q.state(1);
    q.push('same again');
    q.edited(1, 'done');
    q.runOut();
    q.push('lost');
    q.runOut();
    assert.equal(q.ends[0], 'same again done');
    assert.match(q.ends[1] ?? '', /^lost refused VS Code has not answered/);
    q.edited(2, 'done');
    assert.equal(q.ends.length, 2, 'an answer that comes too late is nobody’s');
  });
});

describe('a text that is typed', () => {
  it('stays until the file has it', () => {
    const drafts = new Drafts();
    drafts.type('a', 'x');
    const ended = drafts.send('a');
    assert.deepEqual(drafts.get('a'), { text: 'x', isSent: true, trouble: '' });
    ended('');
    assert.equal(drafts.get('a'), null);
  });

  it('stays with the reason when the file does not take it', () => {
    const drafts = new Drafts();
    drafts.type('a', 'x');
    drafts.send('a')('changed meanwhile');
    assert.deepEqual(drafts.get('a'), { text: 'x', isSent: false, trouble: 'changed meanwhile' });
    drafts.type('a', 'xy');
    assert.equal(drafts.get('a')?.trouble, '', 'typing is another try');
  });

  for (const trouble of ['', 'refused']) {
    it(`is not touched by what became of the text before it (${trouble || 'done'})`, () => {
      const drafts = new Drafts();
      drafts.type('a', 'x');
      const ended = drafts.send('a');
      drafts.type('a', 'xy');
      ended(trouble);
      assert.deepEqual(drafts.get('a'), { text: 'xy', isSent: false, trouble: '' });
    });
  }

  it('that was taken back does not come back', () => {
    const drafts = new Drafts();
    drafts.type('a', 'x');
    const ended = drafts.send('a');
    drafts.drop('a');
    ended('refused');
    assert.equal(drafts.get('a'), null);
  });
});
