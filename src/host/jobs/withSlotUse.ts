import type { ModelsOverview, UiAnswer } from '../../protocol/ui/uiTools.ts';

/** The overview with the places that are in use now. An endpoint that the count does not name has none in use. */
export function withSlotUse(overview: ModelsOverview, use: UiAnswer<'slot_use'>): ModelsOverview {
  const inUse = new Map(use.endpoints.map((endpoint) => [endpoint.name, endpoint.inUse]));
  return {
    ...overview,
    endpoints: overview.endpoints.map((endpoint) => ({
      ...endpoint,
      inUse: inUse.get(endpoint.name) ?? 0,
    })),
    pools: use.pools,
  };
}
