import type { Policy } from '../../protocol/job.ts';
import type { EndpointProbe, ServedModel } from '../endpoints/endpointProbe.ts';
import type { EndpointPlace } from '../endpoints/locality.ts';

/**
 * Everything that a route may depend on. There is no prompt in it, and none can be added without
 * changing this type.
 */
export interface RouteInput {
  readonly request: {
    readonly model: string | null;
    readonly endpoint: string | null;
    readonly policy: Policy | null;
    /** The runner needs a model that calls tools. */
    readonly needsTools: boolean;
    /** The model is a member of a declared chain, which may lead to a cloud as the call itself may. */
    readonly isChainMember: boolean;
  };
  readonly defaults: { readonly model: string | null; readonly policy: Policy };
  /** In the order of the configuration, which is their priority. */
  readonly endpoints: readonly RouteEndpoint[];
}

export interface RouteEndpoint {
  readonly name: string;
  readonly place: Pick<EndpointPlace, 'locality' | 'source'>;
  /** Null: it was not asked, because the policy forbids to. */
  readonly probe: RouteProbe | null;
  /** Models whose tool calls were tried, by served id. */
  readonly toolCalls: Readonly<Record<string, 'yes' | 'no'>>;
}

/**
 * What the decision uses of a probe. How busy an endpoint is belongs to admission, not to the
 * route.
 */
export type RouteProbe = Pick<EndpointProbe, 'state' | 'message' | 'backend' | 'listsModels'> & {
  readonly models: readonly Pick<ServedModel, 'id' | 'loaded' | 'claimsTools' | 'remoteHost'>[];
};
