import { formatCount } from '../../../src/protocol/statusLineParts.ts';
import type { Tried } from '../../../src/protocol/registryForm/formMessages.ts';
import { backendWords, localityWords } from './endpointFace.ts';

const MODELS_AT_MOST = 12;

/** What was found at an address, as names and texts; what is not known is said to be so. */
export function foundFacts(tried: Tried): (readonly [name: string, text: string])[] {
  const { probe, formats, tools } = tried;
  return [
    ['kind', backendWords(probe.backend) || 'not recognised'],
    ['models', modelWords(probe)],
    [
      'slots',
      probe.slots === null
        ? 'not reported'
        : `${probe.slots.total}${probe.slots.busy === null ? '' : `, ${probe.slots.busy} busy`}`,
    ],
    ['format', formats.length === 0 ? 'not known' : formats.join(', ')],
    ['tools', toolWords(tools)],
    ['place', [localityWords(tried.locality), tried.placeWarning].filter(Boolean).join(' · ')],
  ];
}

function modelWords({ models, lists_models: lists }: Tried['probe']): string {
  if (models.length === 0) return lists ? 'none is served now' : 'it does not list them';
  const shown = models
    .slice(0, MODELS_AT_MOST)
    .map(({ id, context }) => (context === null ? id : `${id} (window ${formatCount(context)})`));
  const rest = models.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

function toolWords(tools: Tried['tools']): string {
  if (tools === null) return 'not tried';
  return [tools.answer, tools.model, tools.why].filter((part) => part !== '').join(' · ');
}
