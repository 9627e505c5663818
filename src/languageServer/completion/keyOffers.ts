import type { ConfigPath } from '../../config/configPath.ts';
import { isInactivePath } from '../../config/checkInactive.ts';
import { keysOf } from '../../config/schemaWalk.ts';
import type { ModelsDocument } from '../modelsDocuments.ts';
import { keyKind } from '../names/nameUses.ts';
import { knownModels } from '../names/knownModels.ts';
import { keyFacts, type KeyFacts } from '../schema/keyFacts.ts';
import { modelOffers } from './modelOffers.ts';
import type { Offer } from './offer.ts';

/** The keys that the group at a path may still get. `present`: those that it has. */
export function keyOffers(
  doc: Pick<ModelsDocument, 'loaded' | 'live'>,
  group: ConfigPath,
  present: ReadonlySet<string>,
): Offer[] {
  const facts = keyFacts(group);
  if (facts === null) return [];
  const offers =
    facts.shape === 'group' ? knownKeys(group) : [...freeNames(doc, group), ...starts(group)];
  return offers.filter(({ label, kind }) => kind === 'entry' || !present.has(label));
}

function knownKeys(group: ConfigPath): Offer[] {
  return keysOf(group).flatMap((key, index) => {
    const path = [...group, key];
    const facts = keyFacts(path);
    if (facts === null) return [];
    const isInactive = isInactivePath(path);
    return [
      {
        label: key,
        kind: facts.shape === 'group' || facts.shape === 'names' ? ('group' as const) : 'key',
        detail: detailOf(facts),
        about: isInactive
          ? `${facts.description}\n\nNot active in this version.`
          : facts.description,
        rank: (isInactive ? 1000 : 0) + index,
        ...shapesOf(facts),
        asksOn: facts.words.length > 0,
      },
    ];
  });
}

function detailOf({ default: value, type }: KeyFacts): string {
  if (value === undefined || value === '') return type;
  const text = JSON.stringify(value);
  return text.length > 40 ? type : `${type}, default ${text}`;
}

function shapesOf({ shape, default: value }: KeyFacts): Pick<Offer, 'block' | 'flow'> {
  if (shape === 'group' || shape === 'names') return { block: ':\n  $0', flow: ': { $0 }' };
  if (shape === 'list') return { block: ': [$0]', flow: ': [$0]' };
  return typeof value === 'string' && value.includes('\n')
    ? { block: ': |\n  $0', flow: ': $0' }
    : { block: ': $0', flow: ': $0' };
}

/** Names that are in use elsewhere: models in chains and facts, endpoints of the other layers, beginnings of names for pools. */
function freeNames(doc: Pick<ModelsDocument, 'loaded' | 'live'>, group: ConfigPath): Offer[] {
  const shapes = shapesOf(
    keyFacts([...group, 'x']) ?? { ...EMPTY, shape: group[0] === 'endpoints' ? 'value' : 'group' },
  );
  switch (keyKind(group)) {
    case 'model':
      return modelOffers(doc).map((offer) => ({ ...offer, ...shapes }));
    case 'endpoint':
      return Object.keys(doc.loaded.config.endpoints).map((label) => ({
        label,
        kind: 'endpoint' as const,
        detail: 'of another file',
        ...shapes,
      }));
    case 'gate':
      return Object.keys(doc.loaded.config.gates).map((label) => ({
        label,
        kind: 'group' as const,
        detail: 'of another file',
        ...shapes,
      }));
    case 'pool':
      return poolNames(doc).map((label) => ({
        label,
        kind: 'group' as const,
        detail: label === 'default' ? 'all other models' : 'a beginning of names',
        block: ': { slots: ${1:2} }$0',
        flow: ': { slots: ${1:2} }$0',
      }));
    default:
      return [];
  }
}

const EMPTY = {
  description: '',
  type: '',
  default: undefined,
  examples: [],
  words: [],
};

/** What several names, or one with a family, begin with. */
function poolNames(doc: Pick<ModelsDocument, 'loaded' | 'live'>): string[] {
  const beginnings = knownModels(doc).flatMap(
    ({ name }) => /^[A-Za-z]+[-_]?/.exec(name)?.[0] ?? [],
  );
  return ['default', ...new Set(beginnings)];
}

/** A new entry with what it needs. */
function starts(group: ConfigPath): Offer[] {
  if (group.length !== 1) return [];
  switch (group[0]) {
    case 'endpoints':
      return [
        start(
          'new endpoint',
          '${1:name}',
          'base_url: ${2:http://127.0.0.1:8080}',
          'A place that serves models.',
        ),
      ];
    case 'gates':
      return [
        start('new gate', '${1:tests}', 'run: ${2:npm test}', 'A check whose exit status decides.'),
      ];
    case 'pools':
      return [
        start(
          'new pool',
          '${1:prefix-}',
          'slots: ${2:2}',
          'Jobs at once for names that begin like this.',
        ),
      ];
    case 'fleet':
      return [
        start('new role', '${1:planner}', 'model: ${2:model}', 'A role with a model of its own.'),
      ];
    default:
      return [];
  }
}

function start(label: string, name: string, line: string, about: string): Offer {
  return {
    label,
    kind: 'entry',
    about,
    rank: 2000,
    block: `${name}:\n  ${line}$0`,
    flow: `${name}: { ${line} }$0`,
  };
}
