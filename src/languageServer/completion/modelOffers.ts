import type { ModelsDocument } from '../modelsDocuments.ts';
import { knownModels } from '../names/knownModels.ts';
import type { Offer } from './offer.ts';

/** Names of models: those that an endpoint serves first, then those that the configuration names. */
export function modelOffers(doc: Pick<ModelsDocument, 'loaded' | 'live'>): Offer[] {
  return knownModels(doc).map(({ name, servedBy, window }) => ({
    label: name,
    kind: 'model',
    rank: servedBy.length > 0 ? 0 : 100,
    detail:
      servedBy.length === 0
        ? 'in the configuration'
        : [servedBy.join(', '), ...(window === null ? [] : [`${Math.round(window / 1000)}k`])].join(
            ' · ',
          ),
  }));
}
