import { sanitiseLine } from '../../base/sanitise.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import type { DelegatePlan } from './delegatePlan.ts';
import type { Who } from './delegation.ts';

/** What will happen, in one line: `worktree · gate tests · local-only · qwen3.8-27b on tower`. */
export function describePlan(plan: DelegatePlan, who: Who): string {
  return [
    plan.isolation === 'worktree' ? 'worktree' : 'in the folder itself',
    plan.from === 'working-tree' ? 'with uncommitted changes' : null,
    plan.isReadOnly ? 'read-only' : plan.gate === null ? 'no gate' : `gate ${plan.gate}`,
    plan.repairRounds > 0 ? formatPlural(plan.repairRounds, 'repair round') : null,
    plan.policy,
    plan.agent === null
      ? plan.runner === 'loop'
        ? 'built-in loop'
        : null
      : `agent ${sanitiseLine(plan.agent, 60)}`,
    describeWho(who),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

export function describeWho(who: Who): string {
  if (who.kind === 'policy') return 'whoever the policy allows';
  const endpoint = sanitiseLine(who.endpoint, 60);
  return who.model === null ? endpoint : `${sanitiseLine(who.model, 80)} on ${endpoint}`;
}
