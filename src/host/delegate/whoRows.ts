import { sanitiseLine } from '../../base/sanitise.ts';
import type { Locality } from '../../protocol/job.ts';
import { formatCount, formatPlural } from '../../protocol/statusLineParts.ts';
import type { ModelsOverview } from '../../protocol/ui/uiTools.ts';
import type { Who } from './delegation.ts';
import { describeWho } from './describePlan.ts';
import { escapeIcons } from './escapeIcons.ts';
import { heading, type StepRow } from './stepRow.ts';

export type WhoAct =
  | { readonly kind: 'choose'; readonly who: Who }
  | { readonly kind: 'command'; readonly command: string };

type Endpoint = ModelsOverview['endpoints'][number];
type Model = Endpoint['probe']['models'][number];

const PLACES: Record<Locality, string> = {
  local: 'local',
  lan: 'LAN',
  rented: 'rented',
  cloud: 'cloud',
  unknown: 'place unknown',
};

/**
 * The rows of the step Who: the policy's own choice, every model that is served now, and what is down with the reason. What is down
 * cannot be chosen.
 *
 * @param last the answer of the last time
 * @param byPolicy where the policy would send it now, or why nowhere; empty while that is not known
 */
export function whoRows(
  overview: ModelsOverview | null,
  byPolicy: string,
  last: Who,
): StepRow<WhoAct>[] {
  const endpoints = overview?.endpoints ?? [];
  const up = endpoints.filter(({ probe }) => probe.state === 'up');
  const down = endpoints.filter(({ probe }) => probe.state === 'down');
  return [
    {
      icon: 'law',
      label: 'Let the policy decide',
      ...(byPolicy === '' ? {} : { description: byPolicy }),
      act: { kind: 'choose', who: { kind: 'policy' } },
    },
    // Until it is known who is up, the answer of the last time stands: the engine looks again.
    ...(overview === null && last.kind === 'model'
      ? [
          {
            icon: 'history',
            label: escapeIcons(describeWho(last)),
            description: 'as last time',
            act: { kind: 'choose', who: last } as const,
          },
        ]
      : []),
    ...up.flatMap(upRows),
    ...(down.length > 0 ? [heading('Down'), ...down.map(downRow)] : []),
    ...(overview !== null && up.length === 0
      ? [
          heading(overview.isConfigured ? 'Nothing answers' : 'No endpoint is set up'),
          command('search', 'Find Model Servers…', 'delegationBridge.findServers'),
          command('plug', 'Register Endpoint…', 'delegationBridge.registerEndpoint'),
          command('play', 'Start Rehearsal Server', 'delegationBridge.startRehearsal'),
        ]
      : []),
  ];
}

/** Whether what was chosen last time can be chosen now; null while that is not known. */
export function isWhoUp(who: Who, overview: ModelsOverview | null): boolean | null {
  if (who.kind === 'policy') return true;
  if (overview === null) return null;
  const probe = overview.endpoints.find(({ name }) => name === who.endpoint)?.probe;
  if (probe?.state !== 'up') return false;
  return who.model === null || probe.models.some(({ id }) => id === who.model);
}

/** `131k · 1/2 slots busy · local`, with what makes it a poor choice last. */
export function describeModel(endpoint: Endpoint, model: Model | null): string {
  return [
    model === null ? null : model.context === null ? 'window unknown' : formatCount(model.context),
    slotsOf(endpoint),
    PLACES[endpoint.locality],
    model?.loaded === false ? 'not loaded yet' : null,
    model?.claimsTools === false ? 'no tools' : null,
    remoteHostOf(model),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

function remoteHostOf(model: Model | null): string | null {
  const host = model?.remoteHost ?? null;
  return host === null ? null : `runs at ${escapeIcons(sanitiseLine(host, 60))}`;
}

function upRows(endpoint: Endpoint): StepRow<WhoAct>[] {
  const { name, probe, notes } = endpoint;
  const title = [sanitiseLine(name, 60), probe.backend, sanitiseLine(notes, 60)].filter(
    (part) => part !== '',
  );
  const rows = probe.models.map((model): StepRow<WhoAct> => {
    const warning = model.warning ?? '';
    return {
      icon: 'circle-filled',
      label: escapeIcons(sanitiseLine(model.id, 100)),
      description: `${escapeIcons(sanitiseLine(name, 60))} · ${describeModel(endpoint, model)}`,
      ...(warning === '' ? {} : { detail: `Warning: ${escapeIcons(sanitiseLine(warning, 200))}` }),
      act: { kind: 'choose', who: { kind: 'model', endpoint: name, model: model.id } },
    };
  });
  const own: StepRow<WhoAct> = {
    icon: 'circle-filled',
    label: escapeIcons(sanitiseLine(name, 60)),
    description: `lists no models · ${describeModel(endpoint, null)}`,
    act: { kind: 'choose', who: { kind: 'model', endpoint: name, model: null } },
  };
  return [heading(escapeIcons(title.join(' · '))), ...(rows.length > 0 ? rows : [own])];
}

function downRow({ name, probe }: Endpoint): StepRow<WhoAct> {
  return {
    icon: 'circle-slash',
    label: escapeIcons(sanitiseLine(name, 60)),
    description: escapeIcons(sanitiseLine(probe.message ?? 'It does not answer.', 160)),
    ...(probe.hint === '' ? {} : { detail: escapeIcons(sanitiseLine(probe.hint, 200)) }),
    act: null,
  };
}

function slotsOf({ probe, inUse, maxConcurrent }: Endpoint): string | null {
  const { slots } = probe;
  if (slots !== null && slots.busy !== null) return `${slots.busy}/${slots.total} slots busy`;
  if (maxConcurrent !== null) return `${inUse}/${maxConcurrent} busy`;
  return inUse > 0 ? `${formatPlural(inUse, 'job')} on it` : null;
}

function command(icon: string, label: string, id: string): StepRow<WhoAct> {
  return { icon, label, act: { kind: 'command', command: id } };
}
