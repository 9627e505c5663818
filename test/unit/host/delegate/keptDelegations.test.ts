import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { FIRST_DELEGATION, type Delegation } from '../../../../src/host/delegate/delegation.ts';
import { KeptDelegations, type Memory } from '../../../../src/host/delegate/keptDelegations.ts';

/** A memento that keeps JSON, as VS Code's does over a restart. */
function memory(
  first: Record<string, unknown> = {},
): Memory & { readonly data: Map<string, string> } {
  const data = new Map(Object.entries(first).map(([key, value]) => [key, JSON.stringify(value)]));
  return {
    data,
    get: (key) => {
      const text = data.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
    update: async (key, value) => {
      if (value === undefined) data.delete(key);
      else data.set(key, JSON.stringify(value));
    },
  };
}

const TYPED: Delegation = {
  cwd: '/repo',
  text: 'Fix it',
  attachments: [{ kind: 'output', text: '1 failing', isCut: false }],
  who: { kind: 'model', endpoint: 'tower', model: 'm' },
  how: { ...FIRST_DELEGATION.how, policy: 'local-only', gate: { name: 'tests' } },
};

describe('KeptDelegations', () => {
  it('begins with nothing', () => {
    const kept = new KeptDelegations(memory(), memory(), () => true);
    assert.deepEqual(kept.draft, FIRST_DELEGATION);
    assert.equal(kept.last, null);
  });

  it('has the draft again, in the next window too', () => {
    const own = memory();
    new KeptDelegations(own, memory(), () => true).keepDraft(TYPED);
    assert.deepEqual(new KeptDelegations(own, memory(), () => true).draft, TYPED);
  });

  it('keeps the answers and not the brief once there is a job, which can be delegated again', () => {
    const kept = new KeptDelegations(memory(), memory(), () => true);
    kept.keepDraft(TYPED);
    kept.started(TYPED);
    assert.deepEqual(kept.draft, { ...TYPED, text: '', attachments: [] });
    assert.deepEqual(kept.last, TYPED);
  });

  it('carries what was typed without a folder into the window that has one, once', () => {
    const global = memory();
    new KeptDelegations(memory(), global, () => false).keepDraft({ ...TYPED, cwd: null });
    const kept = new KeptDelegations(memory(), global, () => true);
    assert.equal(kept.draft.text, 'Fix it');
    assert.deepEqual(kept.draft.attachments, []);
    kept.started(kept.draft);
    assert.equal(kept.draft.text, '');
    assert.equal(global.data.size, 0);
  });

  const broken: [string, unknown][] = [
    ['a text', 'x'],
    ['null', null],
    ['a list', []],
    ['parts of other kinds', { cwd: 1, text: 2, attachments: 'no', who: [], how: 'x' }],
    ['attachments that are none', { attachments: [null, 1, 'x', {}] }],
  ];
  for (const [what, value] of broken) {
    it(`reads ${what} in its place as an empty draft`, () => {
      const kept = new KeptDelegations(memory({ 'delegate.draft.1': value }), memory(), () => true);
      assert.deepEqual(kept.draft, FIRST_DELEGATION);
    });
  }
});
