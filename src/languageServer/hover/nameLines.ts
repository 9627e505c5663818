import { escapeMarkdown } from '../../base/markdownText.ts';
import { formatCount, formatPlural } from '../../protocol/statusLineParts.ts';
import { poolOf } from '../../config/poolOf.ts';
import { endpointFacts } from '../live/endpointFacts.ts';
import { ageMs, formatAge, liveLine } from '../live/liveWords.ts';
import { knownModels } from '../names/knownModels.ts';
import type { HoverFacts } from './hoverAt.ts';

/** More names than anybody reads in a hover. */
const MAX_MODELS = 12;

/** The live state of an endpoint, or why there is none. Markdown. */
export function endpointLines({ doc, nowMs }: HoverFacts, name: string): string[] {
  const { live, loaded, parsed } = doc;
  const baseUrl =
    parsed.parts.endpoints?.[name]?.base_url ?? loaded.config.endpoints[name]?.base_url;
  const facts = endpointFacts(live, name, baseUrl);
  if (facts === null) {
    const why = live.trouble === '' ? '' : ` ${escapeMarkdown(live.trouble)}`;
    return [baseUrl === undefined ? 'No address.' : `Not asked yet at this address.${why}`];
  }
  const { probe } = facts;
  const models = probe.models.slice(0, MAX_MODELS).map(({ id, context }) => {
    const window = context === null ? 'window unknown' : `window ${formatCount(context)}`;
    return `- ${escapeMarkdown(id)} · ${window}`;
  });
  const more = probe.models.length - models.length;
  return [
    `${escapeMarkdown(liveLine(facts, live, nowMs))} · ${escapeMarkdown(facts.locality)}`,
    ...(probe.message === null ? [] : [escapeMarkdown(probe.message)]),
    ...(probe.state === 'down' && probe.hint !== '' ? [escapeMarkdown(probe.hint)] : []),
    ...(models.length === 0 ? [] : [models.join('\n')]),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(facts.in_use === 0 ? [] : [`${formatPlural(facts.in_use, 'job')} on it`]),
    ...probe.warnings.map((warning) => escapeMarkdown(warning)),
    ...(live.trouble === '' ? [] : [`Nothing newer is known: ${escapeMarkdown(live.trouble)}`]),
  ];
}

/** Who serves a model, and with which pool it shares its places. Markdown. */
export function modelLines({ doc, nowMs }: HoverFacts, name: string): string[] {
  const { live, loaded } = doc;
  const age = ageMs(live, nowMs);
  const known = knownModels(doc).find((model) => model.name === name);
  const when = age === null ? '' : `, asked ${formatAge(age)}`;
  const served = known?.servedBy ?? [];
  const pool = poolOf(loaded.config.pools, name);
  return [
    served.length > 0
      ? `Served by ${served.map((each) => escapeMarkdown(each)).join(', ')}${when}`
      : age === null
        ? 'No endpoint has been asked yet.'
        : `No endpoint serves this very name${when}.`,
    ...(known?.window === null || known === undefined
      ? []
      : [`Window ${formatCount(known.window)} tokens`]),
    `Pool ${escapeMarkdown(pool)}`,
  ];
}

/** How much of a pool is in use. Markdown. */
export function poolLines({ doc, nowMs }: HoverFacts, name: string): string[] {
  const age = ageMs(doc.live, nowMs);
  const pool = doc.live.pools.find((each) => each.name === name);
  if (pool === undefined || age === null) return ['Slots for models whose names begin like this.'];
  const waiting =
    pool.waiting.length === 0 ? '' : `, ${formatPlural(pool.waiting.length, 'job')} waiting`;
  return [`${pool.in_use} of ${pool.slots} places in use${waiting} · ${formatAge(age)}`];
}
