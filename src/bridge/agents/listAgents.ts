import type { AgentsView } from '../../protocol/agentsView.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { decideRoute } from '../decideRoute.ts';
import { assertFolder } from '../submitChecks.ts';
import { tryFindRepository } from '../worktrees/repository.ts';
import { configForAgent } from './configForAgent.ts';
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
  const { agents } = surveyAgents(places, config.config, null);
  // One of each model speaks for the others: a route depends on nothing else of an agent.
  const byModel = new Map(agents.map(({ model, name }) => [model, name]));
  const isRouted = !context.isRestricted;
  const decided = await Promise.all(
    [...(isRouted ? byModel : [])].map(async ([model, name]) => ({
      model,
      ...(await decideRoute(
        context,
        configForAgent(config, name),
        { runner: 'loop' },
        {
          needsTools: true,
          ...(signal ? { signal } : {}),
        },
      )),
    })),
  );
  const served = decided.flatMap(({ endpoints }) =>
    endpoints.flatMap(({ probe }) => probe?.models.map((model) => model.id) ?? []),
  );
  return {
    folder: cwd,
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
