import { BridgeError } from '../base/bridgeError.ts';
import { chainOf } from '../config/chainOf.ts';
import { poolOf } from '../config/poolOf.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { Considered, JobRequest } from '../protocol/job.ts';
import { endpointLimit } from './jobs/endpointLimit.ts';
import type { Alternative } from './jobs/jobSpec.ts';
import { resolveChain } from './routing/resolveChain.ts';
import type { RouteDecision } from './routing/routeDecision.ts';
import { assertSpeaksMessages, assertWindow } from './submitChecks.ts';
import type { SurveyedEndpoint } from './surveyEndpoints.ts';

interface StandIns {
  readonly alternatives: readonly Alternative[];
  /** Every member of the chain with its place in it, or why it may not stand in. */
  readonly considered: readonly Considered[];
}

export const NO_STAND_INS: StandIns = { alternatives: [], considered: [] };

/**
 * The members of the chain of a routed model, each routed as the model itself was. A call that names its endpoint wants that one and no
 * other.
 */
export function findStandIns(options: {
  readonly config: EffectiveConfig;
  readonly request: Pick<JobRequest, 'model' | 'endpoint' | 'runner'>;
  readonly decision: RouteDecision;
  readonly surveyed: readonly SurveyedEndpoint[];
  readonly routeMember: (member: string) => RouteDecision;
}): StandIns {
  const { config, request, decision, surveyed, routeMember } = options;
  if (!decision.ok || request.endpoint !== undefined) return NO_STAND_INS;
  const { failover, pools, defaults } = config;
  const names = [decision.model, ...(request.model === undefined ? [] : [request.model])];
  const chain = names
    .map((name) => chainOf(failover.chains, name))
    .find((members) => members.length > 0);
  if (chain === undefined) return NO_STAND_INS;
  const isClaudeCode = (request.runner ?? defaults.runner) === 'claude-code';
  const { standIns, considered } = resolveChain({
    origin: { names, endpoint: decision.endpoint, model: decision.model },
    chain,
    pinned: failover.pinned,
    route: routeMember,
    poolOf: (model) => poolOf(pools, model),
    unsuitable: (endpoint, model) =>
      isClaudeCode ? unsuitableForClaudeCode(byName(surveyed, endpoint), model) : null,
  });
  const alternatives = standIns.map(({ endpoint, model, locality }): Alternative => {
    const found = byName(surveyed, endpoint);
    const pool = poolOf(pools, model);
    return {
      endpoint,
      model,
      locality,
      baseUrl: found.entry.base_url,
      pool,
      poolSlots: pools[pool]?.slots ?? 6,
      endpointLimit: endpointLimit(found),
      exclusiveGroup: found.entry.exclusive_group || null,
      contextWindow: found.probe?.models.find(({ id }) => id === model)?.context ?? null,
    };
  });
  return { alternatives, considered };
}

function unsuitableForClaudeCode(surveyed: SurveyedEndpoint, model: string): string | null {
  try {
    assertSpeaksMessages(surveyed);
    assertWindow(surveyed, model);
    return null;
  } catch (error) {
    if (!BridgeError.is(error, 'model_unsuitable')) throw error;
    return error.message;
  }
}

function byName(surveyed: readonly SurveyedEndpoint[], name: string): SurveyedEndpoint {
  const found = surveyed.find((endpoint) => endpoint.name === name);
  if (found === undefined)
    throw new BridgeError('internal', `The endpoint ${name} was not surveyed.`);
  return found;
}
