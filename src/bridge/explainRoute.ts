import type { JobRequest } from '../protocol/job.ts';
import { configForAgent } from './agents/configForAgent.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { RouteExplanation } from './bridgeTypes.ts';
import { decideRoute } from './decideRoute.ts';

/** Where a job would run right now, and what was considered. That it could run nowhere is part of the answer. */
export async function explainRoute(
  context: BridgeContext,
  request: JobRequest,
  repoRoot: string | null,
): Promise<RouteExplanation> {
  const config = configForAgent(context.loadConfig(repoRoot), request.agent ?? null);
  const { decision, policy, pool, warnings } = await decideRoute(context, config, request, {
    needsTools: true,
  });
  const { considered } = decision;
  const shared = { pool, policy, considered, warnings };
  if (decision.ok) {
    const { rule, endpoint, model } = decision;
    return { ...shared, ok: true, rule, endpoint, model, failure: null };
  }
  const { kind, message, hint } = decision.error;
  return {
    ...shared,
    ...{ ok: false, rule: null, endpoint: null, model: null },
    failure: { kind, message, hint },
  };
}
