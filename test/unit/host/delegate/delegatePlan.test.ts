import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { delegatePlan, type DelegatePlan } from '../../../../src/host/delegate/delegatePlan.ts';
import { delegateRequest } from '../../../../src/host/delegate/delegateRequest.ts';
import { FIRST_DELEGATION, type How } from '../../../../src/host/delegate/delegation.ts';
import { describePlan } from '../../../../src/host/delegate/describePlan.ts';
import { factsOf } from './facts.ts';

const FIRST = FIRST_DELEGATION.how;

describe('delegatePlan', () => {
  const cases: [
    string,
    Partial<How>,
    Parameters<typeof factsOf>[0] | null,
    Partial<DelegatePlan>,
  ][] = [
    ['the usual, before anything is known', {}, null, { isolation: 'worktree', gate: null }],
    [
      'what the configuration says',
      {},
      { defaults: { runner: 'claude-code', model: null, policy: 'local-only', isolation: 'none' } },
      { isolation: 'none', policy: 'local-only' },
    ],
    [
      'the answer of the person over that',
      { policy: 'any', isolation: 'worktree' },
      { defaults: { runner: 'claude-code', model: null, policy: 'local-only', isolation: 'none' } },
      { isolation: 'worktree', policy: 'any' },
    ],
    ['the loop of the person', { runner: 'loop' }, {}, { runner: 'loop', agent: null }],
    [
      'the loop with an agent, whatever the runner was, because nothing else reads definitions',
      { runner: 'claude-code', agent: 'coder' },
      { agents: [{ name: 'coder', description: 'Writes code' }] },
      { runner: 'loop', agent: 'coder' },
    ],
    [
      'no agent when that of the last time is gone, and says so',
      { agent: 'coder' },
      {},
      { runner: 'claude-code', agent: null, lostAgent: 'coder' },
    ],
    ['the first gate when nobody said', {}, {}, { gate: 'tests', lostGate: null }],
    ['no gate when the person said so', { gate: { name: null } }, {}, { gate: null }],
    ['the gate of the last time', { gate: { name: 'types' } }, {}, { gate: 'types' }],
    [
      'another gate when that of the last time is gone, and says so',
      { gate: { name: 'old' } },
      {},
      { gate: 'tests', lostGate: 'old' },
    ],
    [
      'no repair rounds without a gate',
      { gate: { name: null }, repairRounds: 2 },
      {},
      { repairRounds: 0 },
    ],
    [
      'no gate for a job that only looks',
      { isReadOnly: true, repairRounds: 2 },
      {},
      { gate: null, repairRounds: 0 },
    ],
    [
      'uncommitted changes only where there are some',
      { from: 'working-tree' },
      { uncommitted: 0 },
      { from: 'head' },
    ],
    [
      'uncommitted changes when there are',
      { from: 'working-tree' },
      { uncommitted: 2 },
      { from: 'working-tree' },
    ],
    [
      'uncommitted changes only for a worktree',
      { from: 'working-tree', isolation: 'none' },
      { uncommitted: 2 },
      { from: 'head' },
    ],
    [
      'that there is no repository',
      {},
      { repoRoot: null, uncommitted: null },
      { obstacle: 'not_a_repository' },
    ],
    ['that there is no commit', {}, { hasCommits: false }, { obstacle: 'no_commits' }],
    [
      'no obstacle for the folder itself',
      { isolation: 'none' },
      { repoRoot: null, uncommitted: null },
      { obstacle: null, isolation: 'none' },
    ],
    [
      'no worktree where a job only looks outside git',
      { isReadOnly: true },
      { repoRoot: null, uncommitted: null },
      { obstacle: null, isolation: 'none' },
    ],
  ];
  for (const [what, how, facts, expected] of cases) {
    it(`has ${what}`, () => {
      const plan = delegatePlan({ ...FIRST, ...how }, facts === null ? null : factsOf(facts));
      for (const [key, value] of Object.entries(expected))
        assert.equal(plan[key as keyof DelegatePlan], value, key);
    });
  }
});

describe('describePlan', () => {
  const who = { kind: 'model', endpoint: 'tower', model: 'qwen3.8-27b' } as const;
  const cases: [Partial<How>, string][] = [
    [{}, 'worktree · gate tests · prefer-local · qwen3.8-27b on tower'],
    [{ gate: { name: null } }, 'worktree · no gate · prefer-local · qwen3.8-27b on tower'],
    [{ isReadOnly: true }, 'worktree · read-only · prefer-local · qwen3.8-27b on tower'],
    [
      { isolation: 'none', policy: 'local-only', repairRounds: 1 },
      'in the folder itself · gate tests · 1 repair round · local-only · qwen3.8-27b on tower',
    ],
    [
      { from: 'working-tree' },
      'worktree · with uncommitted changes · gate tests · prefer-local · qwen3.8-27b on tower',
    ],
    [
      { runner: 'loop', gate: { name: null } },
      'worktree · no gate · prefer-local · built-in loop · qwen3.8-27b on tower',
    ],
    [
      { agent: 'coder', gate: { name: null } },
      'worktree · no gate · prefer-local · agent coder · qwen3.8-27b on tower',
    ],
  ];
  for (const [how, expected] of cases) {
    it(expected, () => {
      const agents = [{ name: 'coder', description: '' }];
      const plan = delegatePlan({ ...FIRST, ...how }, factsOf({ uncommitted: 1, agents }));
      assert.equal(describePlan(plan, who), expected);
    });
  }
});

describe('delegateRequest', () => {
  it('asks for what was shown, and for nothing else', () => {
    const how: How = { ...FIRST, repairRounds: 2, from: 'working-tree', policy: 'local-only' };
    const who = { kind: 'model', endpoint: 'tower', model: 'm' } as const;
    const plan = delegatePlan(how, factsOf({ uncommitted: 1 }));
    assert.deepEqual(
      delegateRequest({ cwd: '/repo', text: ' Fix. ', attachments: [], who, how }, plan),
      {
        task: 'Fix.',
        cwd: '/repo',
        isolation: 'worktree',
        policy: 'local-only',
        runner: 'claude-code',
        gate: 'tests',
        repairRounds: 2,
        from: 'working-tree',
        endpoint: 'tower',
        model: 'm',
      },
    );
  });

  it('leaves out what nobody chose', () => {
    const plan = delegatePlan({ ...FIRST, isReadOnly: true }, factsOf({ gates: [] }));
    assert.deepEqual(delegateRequest({ ...FIRST_DELEGATION, text: 'Look.' }, plan), {
      task: 'Look.',
      isolation: 'worktree',
      policy: 'prefer-local',
      runner: 'claude-code',
      readOnly: true,
    });
    const byEndpoint = delegateRequest(
      { ...FIRST_DELEGATION, text: 'x', who: { kind: 'model', endpoint: 'tower', model: null } },
      plan,
    );
    assert.equal(byEndpoint.endpoint, 'tower');
    assert.ok(!('model' in byEndpoint));
  });
});
