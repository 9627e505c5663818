import { poolOf } from '../../config/poolOf.ts';
import type { EffectiveConfig } from '../../config/schema.ts';
import type { Locality } from '../../protocol/job.ts';
import { memoryFloorBytes } from './memoryFloor.ts';
import type { JobLimits } from './jobLimits.ts';
import type { StoredJob } from './jobRow.ts';
import type { Alternative } from './jobSpec.ts';

type Place = Pick<Alternative, 'model' | 'poolSlots' | 'endpointLimit' | 'exclusiveGroup'> & {
  readonly endpoint: string | null;
  readonly locality: Locality | null;
};

/** The limits a job touches where it is, or is to be. */
export function limitsOf(
  { record, spec }: StoredJob,
  config: EffectiveConfig,
  availableBytes?: () => number,
): JobLimits {
  const { endpoint, locality } = record;
  const place = { ...spec, model: spec.servedModel, endpoint, locality };
  return limitsOfPlace(place, config, availableBytes);
}

/**
 * The limits of a place by the present configuration; what it no longer names keeps the size that it had at submit.
 *
 * @param availableBytes memory of this machine; for many jobs at once it is enough to look once
 */
export function limitsOfPlace(
  place: Place,
  config: EffectiveConfig,
  availableBytes: () => number = () => process.availableMemory(),
): JobLimits {
  const { model, endpoint } = place;
  const pool = poolOf(config.pools, model);
  const entry = endpoint === null ? undefined : config.endpoints[endpoint];
  const configured = entry?.max_concurrent;
  const endpointLimit = typeof configured === 'number' ? configured : place.endpointLimit;
  return {
    pool,
    poolSlots: config.pools[pool]?.slots ?? place.poolSlots,
    endpoint,
    model,
    endpointLimit,
    ...serverOf(entry?.base_url ?? null, endpointLimit, config),
    exclusiveGroup: entry === undefined ? place.exclusiveGroup : entry.exclusive_group || null,
    isMemoryShort: isMemoryShort(place.locality, entry?.memory_floor_gb ?? 0, availableBytes),
  };
}

/**
 * Several entries with one host and port are one server, with keys or formats of their own perhaps, so that their jobs count together.
 * It takes what the most generous of the entries says.
 */
function serverOf(
  baseUrl: string | null,
  ownLimit: number | null,
  { endpoints }: EffectiveConfig,
): Pick<JobLimits, 'server' | 'serverLimit'> {
  const server = baseUrl === null ? null : (URL.parse(baseUrl)?.host ?? null);
  const others = Object.values(endpoints).filter(
    (entry) => server !== null && URL.parse(entry.base_url)?.host === server,
  );
  if (others.length < 2 || ownLimit === null) return { server: null, serverLimit: null };
  const sizes = others.map(({ max_concurrent: size }) => (size === 'auto' ? ownLimit : size));
  return { server, serverLimit: Math.max(ownLimit, ...sizes) };
}

/** Only for an endpoint on this machine; what a remote one has is its own affair. */
function isMemoryShort(
  locality: Locality | null,
  setting: number | 'auto',
  availableBytes: () => number,
): boolean {
  const floor = locality === 'local' ? memoryFloorBytes(setting) : null;
  return floor !== null && availableBytes() < floor;
}
