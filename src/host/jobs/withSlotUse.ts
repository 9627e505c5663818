import type { ModelsOverview, UiAnswer } from '../../protocol/ui/uiTools.ts';

/** The overview with the places that are in use now, and who is paused. An endpoint that the count does not name is free. */
export function withSlotUse(overview: ModelsOverview, use: UiAnswer<'slot_use'>): ModelsOverview {
  const now = new Map(use.endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return {
    ...overview,
    endpoints: overview.endpoints.map((endpoint) => ({
      ...endpoint,
      inUse: now.get(endpoint.name)?.inUse ?? 0,
      pause: now.get(endpoint.name)?.pause ?? null,
    })),
    pools: use.pools,
  };
}
