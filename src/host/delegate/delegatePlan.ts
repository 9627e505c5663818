import type { Policy } from '../../protocol/job.ts';
import type { DelegateFacts } from '../../protocol/ui/uiTools.ts';
import type { How } from './delegation.ts';

/** Why a job cannot have the worktree it is to have. */
export type Obstacle = 'not_a_repository' | 'no_commits';

/** What would happen: the person's answers where they gave some, else the configuration's. */
export interface DelegatePlan {
  readonly runner: 'claude-code' | 'loop';
  /** Only with the loop. */
  readonly agent: string | null;
  readonly isolation: 'worktree' | 'none';
  readonly gate: string | null;
  readonly policy: Policy;
  readonly isReadOnly: boolean;
  /** Only with a gate. */
  readonly repairRounds: number;
  /** Only where it makes a difference: in a worktree, with changes that are not committed. */
  readonly from: 'head' | 'working-tree';
  readonly obstacle: Obstacle | null;
  /** A gate that was chosen last time and is not in the configuration any more. */
  readonly lostGate: string | null;
  /** An agent that was chosen last time and is not there any more. */
  readonly lostAgent: string | null;
}

/** @param facts null while they are not known: then the usual defaults stand in, and the engine has the last word */
export function delegatePlan(how: How, facts: DelegateFacts | null): DelegatePlan {
  const isBare = facts !== null && (facts.repoRoot === null || !facts.hasCommits);
  // Looking needs no copy. Changing a folder without a way back needs a person who said so.
  const usual = isBare && how.isReadOnly ? 'none' : (facts?.defaults.isolation ?? 'worktree');
  const isolation = how.isolation ?? usual;
  const gate = gateOf(how, facts);
  const hasGate = gate.name !== null && !how.isReadOnly;
  const isAgentLost =
    how.agent !== null && facts !== null && !facts.agents.some(({ name }) => name === how.agent);
  const agent = isAgentLost ? null : how.agent;
  const isDirty = (facts?.uncommitted ?? 0) > 0;
  return {
    // Definitions are read by the loop alone.
    runner: agent === null ? (how.runner ?? facts?.defaults.runner ?? 'claude-code') : 'loop',
    agent,
    isolation,
    gate: hasGate ? gate.name : null,
    policy: how.policy ?? facts?.defaults.policy ?? 'prefer-local',
    isReadOnly: how.isReadOnly,
    repairRounds: hasGate ? how.repairRounds : 0,
    from: isolation === 'worktree' && isDirty ? how.from : 'head',
    obstacle:
      isBare && isolation === 'worktree'
        ? facts.repoRoot === null
          ? 'not_a_repository'
          : 'no_commits'
        : null,
    lostGate: gate.lost,
    lostAgent: isAgentLost ? how.agent : null,
  };
}

function gateOf(
  how: How,
  facts: DelegateFacts | null,
): { readonly name: string | null; readonly lost: string | null } {
  const known = facts?.gates.map(({ name }) => name) ?? [];
  // A result that nothing has checked is the exception, so a gate that is there is used.
  const usual = known[0] ?? null;
  if (how.gate === null) return { name: usual, lost: null };
  const { name } = how.gate;
  if (name === null || facts === null || known.includes(name)) return { name, lost: null };
  return { name: usual, lost: name };
}
