import { type ConfigPath } from '../../config/configPath.ts';
import { endpointFacts } from '../live/endpointFacts.ts';
import type { ModelsDocument } from '../modelsDocuments.ts';
import { knownModels } from '../names/knownModels.ts';
import { valueKind } from '../names/nameUses.ts';
import { keyFacts } from '../schema/keyFacts.ts';
import { modelOffers } from './modelOffers.ts';
import type { Offer } from './offer.ts';

/** What may stand at a path. `present`: items that the list of it has already. */
export function valueOffers(
  doc: Pick<ModelsDocument, 'loaded' | 'live'>,
  path: ConfigPath,
  present: ReadonlySet<string>,
): Offer[] {
  const isItem = typeof path.at(-1) === 'number';
  const key = isItem ? path.slice(0, -1) : path;
  const facts = keyFacts(key);
  if (facts === null) return [];
  const { default: standard } = facts;
  const words = facts.words.map((label, index) => ({
    label,
    kind: 'word' as const,
    rank: index,
    ...(label === String(standard) ? { detail: 'default' } : {}),
  }));
  const standards = isItem && Array.isArray(standard) ? standard.map(String) : [];
  const examples = (isItem ? facts.examples.flat() : facts.examples).filter(
    (each) => typeof each === 'string' || typeof each === 'number',
  );
  const offers: Offer[] = [
    ...words,
    ...namesAt(doc, path),
    ...ofServer(doc, path),
    ...standards.map((label) => ({ label, kind: 'text' as const, detail: 'default' })),
    ...examples.map((each) => ({
      label: String(each),
      kind: typeof each === 'string' ? ('text' as const) : ('word' as const),
      detail: 'example',
      rank: 500,
    })),
  ];
  const seen = new Set(present);
  return offers.filter(({ label }) => !seen.has(label) && seen.add(label));
}

/** Names of what stands elsewhere in the configuration. */
function namesAt(doc: Pick<ModelsDocument, 'loaded' | 'live'>, path: ConfigPath): Offer[] {
  const { config } = doc.loaded;
  const kind = valueKind(path);
  if (kind === 'model') return modelOffers(doc).filter(({ label }) => label !== originOf(path));
  if (kind === 'endpoint') {
    return Object.entries(config.endpoints).map(([label, { base_url }]) => ({
      label,
      kind: 'endpoint',
      detail: base_url,
    }));
  }
  if (path[0] === 'endpoints' && path[2] === 'exclusive_group') {
    const groups = Object.values(config.endpoints).map((entry) => entry.exclusive_group);
    return [...new Set(groups)]
      .filter((group) => group !== '')
      .map((label) => ({ label, kind: 'text', detail: 'of another endpoint' }));
  }
  return [];
}

/** The model of a chain, which is no use in it. */
function originOf(path: ConfigPath): string | null {
  return path[1] === 'chains' ? String(path[2]) : null;
}

/** Figures that the servers told. */
function ofServer(doc: Pick<ModelsDocument, 'loaded' | 'live'>, path: ConfigPath): Offer[] {
  const [section, name, key] = path.map(String);
  if (section === 'endpoints' && key === 'max_concurrent' && name !== undefined) {
    const entry = doc.loaded.config.endpoints[name];
    const slots = endpointFacts(doc.live, name, entry?.base_url)?.probe.slots?.total;
    return slots === undefined ? [] : [{ label: String(slots), kind: 'word', detail: 'its slots' }];
  }
  if (section === 'models' && key === 'context_window') {
    const window = knownModels(doc).find((model) => model.name === name)?.window ?? null;
    return window === null
      ? []
      : [{ label: String(window), kind: 'word', detail: 'as its server says' }];
  }
  return [];
}
