import { dependents } from '../facts/dependents.ts';
import { groupOf } from '../facts/group.ts';
import { setEdit } from '../form.ts';
import { EndpointDetails } from '../parts/endpointDetails.ts';
import { GateDetails } from '../parts/gateDetails.ts';
import { PoolDetails } from '../parts/poolDetails.ts';
import type { EntryKind } from './entryKind.ts';

const PLAIN: EntryKind = {
  noun: 'entry',
  nameLabel: 'name',
  isOrdered: false,
  firstKey: null,
  empty: 'There is none.',
  makeDetails: () => null,
  dependents: () => [],
  renameAlso: () => [],
};

const KINDS: Readonly<Record<string, Partial<EntryKind>>> = {
  endpoints: {
    noun: 'endpoint',
    isOrdered: true,
    firstKey: 'base_url',
    empty:
      'No endpoint stands in this file. Register one: what answers on this machine is found for you.',
    makeDetails: (form, name) => new EndpointDetails(form, name),
    dependents: (form, name) =>
      dependents(name, form.state.values, form.state.inherited, form.live),
    renameAlso: (form, name, to) =>
      Object.entries(groupOf(form.value(['fleet'])) ?? {})
        .filter(([, role]) => groupOf(role)?.['endpoint'] === name)
        .map(([role]) => setEdit(['fleet', role, 'endpoint'], to)),
  },
  pools: {
    noun: 'pool',
    nameLabel: 'prefix of model names',
    firstKey: 'slots',
    empty: 'No pool stands in this file: all models share one.',
    makeDetails: (form, name) => new PoolDetails(form, name),
  },
  models: {
    noun: 'model',
    nameLabel: 'name or glob',
    empty: 'No facts about models stand in this file. None are needed: what is served is probed.',
  },
  gates: {
    noun: 'gate',
    firstKey: 'run',
    empty:
      'No gate stands in this file. A gate is a command whose exit status decides, such as npm test.',
    makeDetails: (form, name) => new GateDetails(form, name),
  },
  fleet: { noun: 'role', empty: 'No role stands in this file.' },
};

/** By the top-level key; entries of keys that are not named here are plain. */
export function entryKindOf(key: string): EntryKind {
  return { ...PLAIN, ...(Object.hasOwn(KINDS, key) ? KINDS[key] : {}) };
}
