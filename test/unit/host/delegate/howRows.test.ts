import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { delegatePlan } from '../../../../src/host/delegate/delegatePlan.ts';
import { FIRST_DELEGATION, type How } from '../../../../src/host/delegate/delegation.ts';
import { describePlan } from '../../../../src/host/delegate/describePlan.ts';
import { howRows } from '../../../../src/host/delegate/howRows.ts';
import { factsOf } from './facts.ts';

const FIRST = FIRST_DELEGATION.how;
const WHO = { kind: 'policy' } as const;

describe('howRows', () => {
  it('begins with the start and what it will do', () => {
    const [start] = howRows(FIRST, WHO, factsOf());
    assert.deepEqual(start?.act, { kind: 'start' });
    assert.equal(start.description, describePlan(delegatePlan(FIRST, factsOf()), WHO));
  });

  for (const [what, facts] of [
    ['outside git', factsOf({ repoRoot: null, uncommitted: null })],
    ['without a commit', factsOf({ hasCommits: false })],
  ] as const) {
    it(`cannot be started ${what} before the person says how`, () => {
      const rows = howRows(FIRST, WHO, facts);
      assert.ok(rows.every(({ act }) => act?.kind !== 'start'));
      assert.equal(rows[0]?.act, null);
      const inPlace = rows.find(({ label }) => label.startsWith('Work in the folder'));
      assert.equal(inPlace?.act?.kind, 'change');
      const { how } = inPlace.act;
      assert.ok(howRows(how, WHO, facts).some(({ act }) => act?.kind === 'start'));
    });
  }

  const uncommitted: [number, string | null][] = [
    [0, null],
    [1, 'your 1 uncommitted change is not part of it'],
    [3, 'your 3 uncommitted changes are not part of it'],
  ];
  for (const [count, expected] of uncommitted) {
    it(`with ${count} uncommitted changes says ${expected ?? 'nothing of them'}`, () => {
      const row = howRows(FIRST, WHO, factsOf({ uncommitted: count })).find(({ label }) =>
        label.startsWith('Starts from'),
      );
      assert.equal(row?.description ?? null, expected);
    });
  }

  it('says that a gate of last time is gone, and that none is configured', () => {
    const lost = howRows({ ...FIRST, gate: { name: 'old' } }, WHO, factsOf());
    assert.ok(lost.some(({ description = '' }) => description.includes('no gate old any more')));
    const none = howRows(FIRST, WHO, factsOf({ gates: [] }));
    assert.ok(none.some(({ label, act }) => label === 'Gate: none' && act?.kind === 'command'));
  });

  it('shows no icon that a name in the configuration asks for', () => {
    const gates = [{ name: '$(error)', kind: 'tests', run: '$(bug) x' }];
    const agents = [{ name: 'coder', description: '$(bug) x' }];
    const rows = howRows(
      { ...FIRST, agent: 'coder' },
      { kind: 'model', endpoint: '$(x)', model: '$(y)' },
      factsOf({ gates, agents }),
    );
    for (const { label, description = '' } of rows)
      assert.doesNotMatch(`${label}${description}`, /\$\(/);
  });

  it('leads by Enter on any answers, in any order, to a plan that its start row says', () => {
    const facts = factsOf({
      uncommitted: 2,
      agents: [{ name: 'coder', description: 'Writes $(bug) code' }],
    });
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 12 }), (choices) => {
        let how: How = FIRST;
        for (const choice of choices) {
          const changes = howRows(how, WHO, facts).flatMap(({ act }) =>
            act?.kind === 'change' ? [act] : [],
          );
          const act = changes[choice % changes.length];
          assert.ok(act);
          how = act.how;
          // The row that was changed is still there to be changed back.
          const ids = howRows(how, WHO, facts).flatMap((row) =>
            row.act?.kind === 'change' ? [row.act.id] : [],
          );
          assert.ok(ids.includes(act.id), act.id);
        }
        const start = howRows(how, WHO, facts).find(({ act }) => act?.kind === 'start');
        assert.equal(start?.description, describePlan(delegatePlan(how, facts), WHO));
      }),
    );
  });
});
