import type { Considered, Locality, Policy } from '../../protocol/job.ts';
import { MATCH_KINDS } from '../endpoints/matchModel.ts';
import { isNear } from '../endpoints/locality.ts';
import { gatherCandidates, type Candidate, type Survey } from './candidates.ts';
import { refuseRoute, unknownEndpoint } from './refuseRoute.ts';
import type { RouteDecision, RouteRule } from './routeDecision.ts';
import type { RouteInput } from './routeInput.ts';

/**
 * The one function that decides where a job runs. Pure: the same input gives the same decision, and
 * the prompt is no part of the input.
 *
 * A model is looked for by exact id on all endpoints, then by glob, then by fuzzy name; the best
 * kind of match that exists anywhere decides which candidates there are. Among those, near ones
 * come first (unless the policy is `any`), then the order of the configuration, then loaded models,
 * then the order of the server's list. A cloud model is taken only when the call names its endpoint
 * or its exact id; the default model is not a name given by the call.
 */
export function route(input: RouteInput): RouteDecision {
  const { request, defaults } = input;
  const policy = request.policy ?? defaults.policy;
  if (
    request.endpoint !== null &&
    !input.endpoints.some((endpoint) => endpoint.name === request.endpoint)
  ) {
    return { ok: false, error: unknownEndpoint(input, policy), considered: [] };
  }
  const name = request.model ?? (defaults.model || null);
  const survey = gatherCandidates(input, policy, name);
  const decision = decide(input, policy, name, survey);
  // An endpoint named without a model is asked for its own sake: it need not serve the default
  // model.
  if (!decision.ok && request.model === null && request.endpoint !== null && name !== null) {
    if (survey.candidates.length === 0)
      return decide(input, policy, null, gatherCandidates(input, policy, null));
  }
  return decision;
}

function decide(
  input: RouteInput,
  policy: Policy,
  name: string | null,
  survey: Survey,
): RouteDecision {
  const best =
    MATCH_KINDS.find((kind) => survey.candidates.some((candidate) => candidate.match === kind)) ??
    null;
  const finalists = survey.candidates.filter((candidate) => candidate.match === best);
  const taken = finalists
    .filter((candidate) => candidate.obstacle === null)
    .sort(byPreference(policy))[0];
  if (taken === undefined) {
    const error = refuseRoute(input, policy, name, { ...survey, candidates: finalists });
    return { ok: false, error, considered: account(input, survey, best, null) };
  }
  return {
    ok: true,
    endpoint: taken.endpoint,
    model: taken.model,
    locality: taken.locality,
    rule: ruleOf(input, name, taken),
    considered: account(input, survey, best, taken),
  };
}

function byPreference(policy: Policy): (a: Candidate, b: Candidate) => number {
  return (a, b) =>
    (policy === 'any' ? 0 : distance(a.locality) - distance(b.locality)) ||
    a.order[0] - b.order[0] ||
    Number(b.isLoaded) - Number(a.isLoaded) ||
    a.order[1] - b.order[1];
}

function distance(locality: Locality): number {
  if (isNear(locality)) return 0;
  return locality === 'cloud' ? 2 : 1;
}

function ruleOf(input: RouteInput, name: string | null, taken: Candidate): RouteRule {
  const { request } = input;
  if (request.endpoint !== null) {
    if (request.model !== null) return 'endpoint-and-model';
    return name === null ? 'endpoint-first-model' : 'endpoint-default-model';
  }
  if (request.model === null) return name === null ? 'first-served' : 'default-model';
  return `model-${taken.match ?? 'exact'}`;
}

/**
 * Who was looked at and why each was passed over, in the order of the configuration; null for the
 * one taken.
 */
function account(
  input: RouteInput,
  survey: Survey,
  best: Candidate['match'],
  taken: Candidate | null,
): readonly Considered[] {
  return input.endpoints.flatMap(({ name }): Considered[] => {
    const passed = survey.passedOver.find((item) => item.endpoint === name);
    if (passed !== undefined) return [{ endpoint: name, model: null, reason: passed.reason }];
    const own = survey.candidates.filter((candidate) => candidate.endpoint === name);
    // Where no model was named, every served model is a candidate: the first that lost speaks for
    // the rest.
    const shown =
      best === null ? own.filter((candidate, index) => candidate === taken || index === 0) : own;
    return shown.map((candidate) => ({
      endpoint: name,
      model: candidate.model,
      reason: candidate === taken ? null : reasonAgainst(candidate, best, taken),
    }));
  });
}

function reasonAgainst(
  candidate: Candidate,
  best: Candidate['match'],
  taken: Candidate | null,
): string {
  if (candidate.match !== best)
    return `only a ${candidate.match ?? ''} match, and there is one that is ${best ?? ''}`;
  if (candidate.obstacle !== null) return candidate.obstacle.reason;
  if (taken === null) return 'not chosen';
  if (distance(candidate.locality) > distance(taken.locality)) return `${taken.endpoint} is nearer`;
  if (candidate.endpoint !== taken.endpoint) return `${taken.endpoint} comes first`;
  return `${taken.model} comes first`;
}
