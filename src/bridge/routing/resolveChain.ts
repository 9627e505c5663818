import { isPinned } from '../../config/isPinned.ts';
import type { Considered, Locality } from '../../protocol/job.ts';
import type { RouteDecision } from './routeDecision.ts';

/** What the routed model is, by every name it has: as the call wrote it, and as it is served. */
interface ChainOrigin {
  readonly names: readonly string[];
  readonly endpoint: string;
  readonly model: string;
}

interface StandIn {
  readonly endpoint: string;
  readonly model: string;
  readonly locality: Locality;
}

export interface ChainInput {
  readonly origin: ChainOrigin;
  /** Members as the configuration names them, in order. */
  readonly chain: readonly string[];
  readonly pinned: readonly string[];
  /** The same decision, under the same policy, for one member. */
  readonly route: (member: string) => RouteDecision;
  readonly poolOf: (model: string) => string;
  /** Why what drives the model cannot use it there; null: it can. */
  readonly unsuitable: (endpoint: string, model: string) => string | null;
}

/**
 * Which members of a chain may stand in for a model, in order, and why the others may not. A pinned model neither has stand-ins nor is
 * one, whatever the table says: both names of both sides are looked at. Pure.
 */
export function resolveChain(input: ChainInput): {
  readonly standIns: readonly StandIn[];
  readonly considered: readonly Considered[];
} {
  const { origin, chain, pinned } = input;
  if (origin.names.some((name) => isPinned(pinned, name)))
    return {
      standIns: [],
      considered: chain.map((member) => leftOut(member, null, PINNED_ORIGIN)),
    };
  const standIns: StandIn[] = [];
  const considered: Considered[] = [];
  const poolsTaken = new Map([[input.poolOf(origin.model), origin.model]]);
  for (const member of chain) {
    const decision = isPinned(pinned, member) ? null : input.route(member);
    const reason = reasonAgainst(decision, input, poolsTaken);
    if (reason !== null || !decision?.ok) {
      considered.push(leftOut(member, decision, reason ?? 'nobody serves it'));
      continue;
    }
    const { endpoint, model, locality } = decision;
    poolsTaken.set(input.poolOf(model), model);
    standIns.push({ endpoint, model, locality });
    considered.push({ endpoint, model, reason: `stand-in ${standIns.length} of the chain` });
  }
  return { standIns, considered };
}

const PINNED_ORIGIN = 'the model asked for is pinned (failover.pinned)';
const NO_ENDPOINT = 'no endpoint';

function reasonAgainst(
  decision: RouteDecision | null,
  input: ChainInput,
  poolsTaken: ReadonlyMap<string, string>,
): string | null {
  if (decision === null) return 'it is pinned (failover.pinned)';
  if (!decision.ok) return decision.error.message.split('\n')[0] ?? 'nobody serves it';
  const { model, endpoint } = decision;
  if (isPinned(input.pinned, model)) return `${model} is pinned (failover.pinned)`;
  const pool = input.poolOf(model);
  const other = poolsTaken.get(pool);
  // Everything without a pool of its own is in "default", where a stand-in still helps when an endpoint is busy or fails.
  if (other !== undefined && pool !== 'default') return `it shares the pool ${pool} with ${other}`;
  if (endpoint === input.origin.endpoint && model === input.origin.model)
    return 'it is the model asked for itself';
  return input.unsuitable(endpoint, model);
}

function leftOut(member: string, decision: RouteDecision | null, reason: string): Considered {
  return decision?.ok === true
    ? { endpoint: decision.endpoint, model: decision.model, reason: `no stand-in: ${reason}` }
    : { endpoint: NO_ENDPOINT, model: member, reason: `no stand-in: ${reason}` };
}
