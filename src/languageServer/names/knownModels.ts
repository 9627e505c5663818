import type { ModelsDocument } from '../modelsDocuments.ts';
import { endpointFacts } from '../live/endpointFacts.ts';

export interface KnownModel {
  readonly name: string;
  /** Endpoints that serve it, as they said when they were last asked. */
  readonly servedBy: readonly string[];
  /** Tokens; null: not known. */
  readonly window: number | null;
  /** It stands somewhere in the configuration. */
  readonly isWritten: boolean;
}

/** Every name of a model that is known: served when the endpoints were last asked, or written in the configuration. */
export function knownModels({
  loaded,
  live,
}: Pick<ModelsDocument, 'loaded' | 'live'>): KnownModel[] {
  const { config } = loaded;
  const found = new Map<
    string,
    { servedBy: string[]; window: number | null; isWritten: boolean }
  >();
  const of = (name: string) => {
    const known = found.get(name) ?? { servedBy: [], window: null, isWritten: false };
    found.set(name, known);
    return known;
  };
  for (const [endpoint, { base_url }] of Object.entries(config.endpoints)) {
    const facts = endpointFacts(live, endpoint, base_url);
    for (const { id, context } of facts?.probe.models ?? []) {
      const known = of(id);
      known.servedBy.push(endpoint);
      known.window ??= context;
    }
  }
  const written = [
    config.defaults.model,
    config.runners.loop.coding_model,
    ...Object.keys(config.models),
    ...Object.entries(config.failover.chains).flat(2),
    ...Object.values(config.fleet).map(({ model }) => model ?? ''),
  ];
  for (const name of written) if (name !== '') of(name).isWritten = true;
  return [...found].map(([name, known]) => ({ name, ...known }));
}
