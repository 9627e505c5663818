import type { BridgeApi } from '../../../src/server/bridgeApi.ts';

/** An engine that knows what it was told and throws at everything else. */
export function bridgeDouble(told: Partial<BridgeApi>): BridgeApi {
  const base: Partial<BridgeApi> = {
    stateDir: '/state',
    configState: async () => ({
      configFile: '/models.yaml',
      configStale: false,
      problems: [],
      endpoints: [],
      gates: [],
    }),
    ...told,
  };
  return new Proxy(base, {
    get(target, name) {
      if (name in target) return target[name as keyof BridgeApi];
      if (name === 'then') return undefined; // asked by every await
      throw new Error(`The test did not expect ${String(name)} to be used.`);
    },
  }) as BridgeApi;
}
