import type { LoadedConfig } from '../config/load.ts';
import { poolOf } from '../config/poolOf.ts';
import type { JobRequest, Policy } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { findStandIns, NO_STAND_INS } from './findStandIns.ts';
import type { Alternative } from './jobs/jobSpec.ts';
import { route } from './routing/route.ts';
import type { RouteDecision } from './routing/routeDecision.ts';
import { surveyEndpoints, type SurveyedEndpoint } from './surveyEndpoints.ts';

type RoutedRequest = Pick<JobRequest, 'model' | 'endpoint' | 'policy' | 'runner'>;

export interface DecidedRoute {
  readonly decision: RouteDecision;
  readonly policy: Policy;
  readonly endpoints: readonly SurveyedEndpoint[];
  readonly pool: string | null;
  /** Who may stand in for the model, in order. */
  readonly alternatives: readonly Alternative[];
  readonly warnings: readonly string[];
}

/** Asks the endpoints and lets `route` decide. The prompt is never looked at. */
export async function decideRoute(
  context: BridgeContext,
  config: LoadedConfig,
  request: RoutedRequest,
  options: { needsTools: boolean; signal?: AbortSignal },
): Promise<DecidedRoute> {
  const { defaults } = config.config;
  const policy = request.policy ?? defaults.policy;
  const more = options.signal ? { signal: options.signal } : {};
  const named =
    request.endpoint !== undefined && request.endpoint in config.config.endpoints
      ? request.endpoint
      : null;
  const decide = (surveyed: readonly SurveyedEndpoint[]): RouteDecision =>
    routeOver(context, config, request, surveyed, {
      needsTools: options.needsTools,
      isChainMember: false,
    });
  let endpoints = await surveyEndpoints(context, config, { policy, only: named, ...more });
  let decision = decide(endpoints);
  if (!decision.ok && named !== null) {
    // A refusal names what is served elsewhere, so now the others are asked as well.
    endpoints = await surveyEndpoints(context, config, { policy, ...more });
    decision = decide(endpoints);
  }
  // A single question without a job has no queue in which a stand-in would help.
  const chain = options.needsTools
    ? findStandIns({
        config: config.config,
        request,
        decision,
        surveyed: endpoints,
        routeMember: (member) =>
          routeOver(context, config, { ...request, model: member }, endpoints, {
            needsTools: true,
            isChainMember: true,
          }),
      })
    : NO_STAND_INS;
  return {
    decision: decision.ok
      ? { ...decision, considered: [...decision.considered, ...chain.considered] }
      : decision,
    policy,
    endpoints,
    alternatives: chain.alternatives,
    pool: decision.ok ? poolOf(config.config.pools, decision.model) : null,
    warnings: decision.ok ? warningsOf(endpoints, decision.endpoint, decision.model) : [],
  };
}

function routeOver(
  context: BridgeContext,
  config: LoadedConfig,
  request: RoutedRequest,
  surveyed: readonly SurveyedEndpoint[],
  options: { readonly needsTools: boolean; readonly isChainMember: boolean },
): RouteDecision {
  const { defaults } = config.config;
  return route({
    request: {
      model: request.model ?? null,
      endpoint: request.endpoint ?? null,
      policy: request.policy ?? null,
      ...options,
    },
    defaults: { model: defaults.model === '' ? null : defaults.model, policy: defaults.policy },
    endpoints: surveyed.map(({ name, place, probe }) => ({
      name,
      place,
      probe,
      toolCalls: toolCallFacts(context, name, probe?.models.map((model) => model.id) ?? []),
    })),
  });
}

const FACT_LIFETIME_MS = 24 * 60 * 60 * 1000;

export function toolCallFactKey(endpoint: string, model: string): string {
  return `tool_calls:${endpoint}:${model}`;
}

/** Under which name an endpoint answered when it was asked for a model and nothing else. */
export function answersAsFactKey(endpoint: string, model: string): string {
  return `answers_as:${endpoint}:${model}`;
}

/** Answers of the tool-call probe that are not older than a day. */
function toolCallFacts(
  context: BridgeContext,
  endpoint: string,
  models: readonly string[],
): Record<string, 'yes' | 'no'> {
  const facts: Record<string, 'yes' | 'no'> = {};
  for (const model of models) {
    const fact = context.store.fact(toolCallFactKey(endpoint, model));
    if (fact === null || Date.now() - Date.parse(fact.at) > FACT_LIFETIME_MS) continue;
    if (fact.value === 'yes' || fact.value === 'no') facts[model] = fact.value;
  }
  return facts;
}

function warningsOf(
  endpoints: readonly SurveyedEndpoint[],
  endpoint: string,
  model: string,
): string[] {
  const taken = endpoints.find((candidate) => candidate.name === endpoint);
  const served = taken?.probe?.models.find((candidate) => candidate.id === model);
  return [taken?.place.warning, served?.warning, ...(taken?.probe?.warnings ?? [])].filter(
    (warning): warning is string => typeof warning === 'string',
  );
}
