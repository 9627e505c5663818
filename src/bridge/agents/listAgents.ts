import type { AgentsView } from '../../protocol/agentsView.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { decideRoute } from '../decideRoute.ts';
import { assertFolder } from '../submitChecks.ts';
import { tryFindRepository } from '../worktrees/repository.ts';
import { placesOf } from './placesOf.ts';
import { surveyAgents } from './surveyAgents.ts';

/** Definitions by tier, and where a job of each would go right now. */
export async function listAgents(
  context: BridgeContext,
  options: { cwd: string; signal?: AbortSignal },
): Promise<AgentsView> {
  const { cwd, signal } = options;
  assertFolder(cwd);
  const repository = await tryFindRepository(await context.git(), cwd, signal);
  const config = context.loadConfig(repository?.repoRoot ?? null);
  const places = placesOf(context, config.config, cwd);
  const models = new Set(
    surveyAgents(places, config.config, null)
      .agents.filter((agent) => agent.shadowedBy === null)
      .map((agent) => agent.model),
  );
  const isRouted = !context.isRestricted;
  const decided = await Promise.all(
    [...(isRouted ? models : [])].map(async (model) => ({
      model,
      ...(await decideRoute(context, config, model === null ? {} : { model }, {
        needsTools: true,
        ...(signal ? { signal } : {}),
      })),
    })),
  );
  const served = decided.flatMap(({ endpoints }) =>
    endpoints.flatMap(({ probe }) => probe?.models.map((model) => model.id) ?? []),
  );
  return {
    folder: cwd,
    defaultRunner: config.config.defaults.runner,
    ...surveyAgents(places, config.config, isRouted ? [...new Set(served)] : null),
    isRouted,
    routes: decided.map(({ model, decision }) =>
      decision.ok
        ? { model, endpoint: decision.endpoint, servedModel: decision.model, failure: null }
        : {
            model,
            endpoint: null,
            servedModel: null,
            failure: {
              kind: decision.error.kind,
              message: decision.error.message,
              hint: decision.error.hint,
            },
          },
    ),
  };
}
