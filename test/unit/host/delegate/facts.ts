import type { DelegateFacts } from '../../../../src/protocol/ui/uiTools.ts';

/** A clean repository with two gates. */
export function factsOf(part: Partial<DelegateFacts> = {}): DelegateFacts {
  return {
    repoRoot: '/repo',
    hasCommits: true,
    uncommitted: 0,
    ignored: [],
    gates: [
      { name: 'tests', kind: 'tests', run: 'npm test' },
      { name: 'types', kind: 'syntax', run: null },
    ],
    agents: [],
    defaults: { runner: 'claude-code', model: null, policy: 'prefer-local', isolation: 'worktree' },
    ...part,
  };
}
