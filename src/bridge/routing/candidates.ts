import type { Locality, Policy } from '../../protocol/job.ts';
import {
  isNear,
  modelLocality,
  placeAfterProbe,
  type EndpointPlace,
} from '../endpoints/locality.ts';
import { matchKind, type MatchKind } from '../endpoints/matchModel.ts';
import type { RouteEndpoint, RouteInput } from './routeInput.ts';

/** One served model that the caller's words fit, with what stands against it. */
export interface Candidate {
  readonly endpoint: string;
  readonly model: string;
  readonly locality: Locality;
  /** Null when no model was named. */
  readonly match: MatchKind | null;
  readonly obstacle: Obstacle | null;
  /** Position in the configuration, then in the server's list. */
  readonly order: readonly [number, number];
  readonly isLoaded: boolean;
}

interface Obstacle {
  readonly kind: 'policy' | 'tools';
  readonly reason: string;
}

/** An endpoint that gives no candidates at all. */
interface PassedOver {
  readonly endpoint: string;
  readonly kind: 'policy' | 'other_named' | 'down' | 'no_models' | 'no_match';
  readonly reason: string;
}

export interface Survey {
  readonly candidates: readonly Candidate[];
  readonly passedOver: readonly PassedOver[];
}

/** Looks at every endpoint: what of it fits `name` (null: everything), and why not. */
export function gatherCandidates(input: RouteInput, policy: Policy, name: string | null): Survey {
  const candidates: Candidate[] = [];
  const passedOver: PassedOver[] = [];
  for (const [index, endpoint] of input.endpoints.entries()) {
    const excluded = exclude(endpoint, input, policy);
    if (excluded !== null) {
      passedOver.push(excluded);
      continue;
    }
    const found = candidatesOf(endpoint, index, input, policy, name);
    candidates.push(...found);
    if (found.length === 0) passedOver.push(noCandidates(endpoint, name));
  }
  return { candidates, passedOver };
}

function exclude(endpoint: RouteEndpoint, input: RouteInput, policy: Policy): PassedOver | null {
  const { name, probe } = endpoint;
  if (input.request.endpoint !== null && input.request.endpoint !== name) {
    return {
      endpoint: name,
      kind: 'other_named',
      reason: `the call names ${input.request.endpoint}`,
    };
  }
  const place = placeAfterProbe(endpoint.place, endpoint.probe);
  if (policy === 'local-only' && !isNear(place.locality)) {
    return {
      endpoint: name,
      kind: 'policy',
      reason: `local-only: its place is ${describePlace(place)}`,
    };
  }
  if (probe === null) return { endpoint: name, kind: 'down', reason: 'not asked' };
  if (probe.state === 'down')
    return { endpoint: name, kind: 'down', reason: probe.message ?? 'down' };
  return null;
}

function candidatesOf(
  endpoint: RouteEndpoint,
  index: number,
  input: RouteInput,
  policy: Policy,
  name: string | null,
): readonly Candidate[] {
  const { request } = input;
  const place = placeAfterProbe(endpoint.place, endpoint.probe);
  const isAskable = request.endpoint !== null && request.model !== null;
  const served =
    endpoint.probe?.listsModels === false && isAskable
      ? [{ id: request.model, loaded: null, claimsTools: null, remoteHost: null }]
      : (endpoint.probe?.models ?? []);
  return served.flatMap((model, position): Candidate[] => {
    const match = name === null ? null : matchKind(name, model.id);
    if (name !== null && match === null) return [];
    const locality = modelLocality(place, model);
    const isNamed =
      request.endpoint !== null ||
      (request.model !== null && (match === 'exact' || request.isChainMember));
    const tried = Object.hasOwn(endpoint.toolCalls, model.id)
      ? endpoint.toolCalls[model.id]
      : undefined;
    return [
      {
        endpoint: endpoint.name,
        model: model.id,
        locality,
        match,
        obstacle:
          policyObstacle(policy, locality, isNamed) ??
          (request.needsTools ? toolObstacle(tried, model.claimsTools) : null),
        order: [index, position],
        isLoaded: model.loaded !== false,
      },
    ];
  });
}

function policyObstacle(policy: Policy, locality: Locality, isNamed: boolean): Obstacle | null {
  if (policy === 'local-only' && !isNear(locality)) {
    return { kind: 'policy', reason: `local-only: this model runs elsewhere (${locality})` };
  }
  if (locality === 'cloud' && !isNamed) {
    return {
      kind: 'policy',
      reason: 'a cloud model is used only when the call names its endpoint or its exact id',
    };
  }
  return null;
}

function toolObstacle(tried: 'yes' | 'no' | undefined, claims: boolean | null): Obstacle | null {
  if (tried === 'no') return { kind: 'tools', reason: 'it made no tool call when that was tried' };
  // A test that passed outweighs what the server says of itself.
  if (tried === undefined && claims === false) {
    return { kind: 'tools', reason: 'its server says that it cannot call tools' };
  }
  return null;
}

function noCandidates(endpoint: RouteEndpoint, name: string | null): PassedOver {
  if (endpoint.probe?.listsModels === false) {
    return {
      endpoint: endpoint.name,
      kind: 'no_models',
      reason: 'it lists no models: the call must name endpoint and model',
    };
  }
  if (name === null || endpoint.probe?.models.length === 0) {
    return { endpoint: endpoint.name, kind: 'no_models', reason: 'up, but serving no model' };
  }
  return { endpoint: endpoint.name, kind: 'no_match', reason: 'serves no model of that name' };
}

function describePlace(place: Pick<EndpointPlace, 'locality' | 'source'>): string {
  switch (place.source) {
    case 'declared':
      return `${place.locality} by declaration`;
    case 'vendor':
      return `${place.locality}, a vendor's own server`;
    case 'gateway':
      return 'unknown: a gateway may pass requests on';
    case 'address':
      return `${place.locality} by its address`;
    case 'proxy':
      return `${place.locality}: it is behind a proxy`;
    case 'unresolved':
      return 'unknown: its name has no address';
  }
}
