import type { UiArgs } from '../../protocol/ui/uiTools.ts';
import { composeBrief } from './composeBrief.ts';
import type { DelegatePlan } from './delegatePlan.ts';
import type { Delegation } from './delegation.ts';

/** The call that starts what the steps have shown; nothing is in it that they did not show. */
export function delegateRequest(
  { cwd, text, attachments, who }: Delegation,
  plan: DelegatePlan,
): UiArgs<'run_agent'> {
  return {
    task: composeBrief(text, attachments),
    isolation: plan.isolation,
    policy: plan.policy,
    runner: plan.runner,
    ...(plan.agent === null ? {} : { agent: plan.agent }),
    ...(cwd === null ? {} : { cwd }),
    ...(plan.gate === null ? {} : { gate: plan.gate }),
    ...(plan.isReadOnly ? { readOnly: true } : {}),
    ...(plan.repairRounds > 0 ? { repairRounds: plan.repairRounds } : {}),
    ...(plan.from === 'working-tree' ? { from: plan.from } : {}),
    ...(who.kind === 'model' ? { endpoint: who.endpoint } : {}),
    ...(who.kind === 'model' && who.model !== null ? { model: who.model } : {}),
  };
}
