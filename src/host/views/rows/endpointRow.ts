import { sanitiseLine } from '../../../base/sanitise.ts';
import { formatCount, formatDuration, formatPlural } from '../../../protocol/statusLineParts.ts';
import type { ModelsOverview } from '../../../protocol/ui/uiTools.ts';
import { clean } from './jobFacts.ts';
import { FAILED, joinParts, MUTED, PASSED, type Row, WARNING } from './row.ts';

export type Endpoint = ModelsOverview['endpoints'][number];

export interface EndpointRowOptions {
  /** Null: the answer is as of now. Else how old it is: it is never shown as if it were live. */
  readonly ageS: number | null;
  /** False where nothing is configured and the usual port was tried. */
  readonly isConfigured: boolean;
}

const BACKENDS: ReadonlyMap<string, string | null> = new Map([
  ['vllm', 'vLLM'],
  ['ollama', 'Ollama'],
  ['lmstudio', 'LM Studio'],
  ['litellm', 'LiteLLM'],
  ['bifrost', 'Bifrost'],
  ['anthropic', 'Anthropic API'],
  ['openai', 'OpenAI API'],
  ['other', null],
]);

export function endpointRow(endpoint: Endpoint, options: EndpointRowOptions): Row {
  const { probe } = endpoint;
  const isUp = probe.state === 'up';
  const parts = [
    options.ageS === null ? null : agedText(isUp, options.ageS),
    options.isConfigured ? null : 'not in models.yaml',
    pauseText(endpoint),
    ...(isUp ? upParts(endpoint) : [sanitiseLine(probe.message ?? 'does not answer', 200)]),
  ];
  return {
    id: `endpoint:${endpoint.name}`,
    label: clean(endpoint.name),
    description: joinParts(parts),
    icon: iconOf(endpoint, options.ageS),
    contextValue: `;endpoint;${options.ageS === null ? probe.state : 'old'};`,
    accessibleLabel: joinParts(
      [clean(endpoint.name), options.ageS === null ? (isUp ? 'up' : 'down') : null, ...parts],
      ', ',
    ),
    children: 'collapsed',
    command: null,
    tooltip: tooltipOf(endpoint),
  };
}

/** Of an endpoint that was not asked, since nothing is in Restricted Mode. */
export function unaskedRow(name: string): Row {
  return {
    id: `endpoint:${name}`,
    label: clean(name),
    description: 'not asked in Restricted Mode',
    icon: { id: 'circle-outline', color: MUTED },
    contextValue: ';endpoint;unasked;',
    accessibleLabel: `${clean(name)}, not asked in Restricted Mode`,
    children: 'none',
    command: null,
    tooltip: null,
  };
}

/** `12 s`, `3 min`, `2 h`: how long ago, roughly. */
export function formatAge(ageS: number): string {
  if (ageS < 60) return `${Math.max(0, Math.round(ageS))} s`;
  return ageS < 3600 ? `${Math.floor(ageS / 60)} min` : `${Math.floor(ageS / 3600)} h`;
}

function agedText(isUp: boolean, ageS: number): string {
  return `${isUp ? 'was up' : 'was down'}, asked ${formatAge(ageS)} ago`;
}

function upParts({ probe, locality, inUse, maxConcurrent, notes }: Endpoint): (string | null)[] {
  const [first] = probe.models;
  const served =
    probe.models.length === 1 && first !== undefined
      ? joinParts([clean(first.id), first.context === null ? null : formatCount(first.context)])
      : probe.listsModels
        ? formatPlural(probe.models.length, 'model')
        : 'lists no models';
  return [
    backendName(probe.backend),
    served,
    maxConcurrent === null
      ? inUse > 0
        ? `${inUse} in use`
        : null
      : `${inUse}/${maxConcurrent} in use`,
    locality === 'unknown' ? 'place unknown: not used for local-only' : locality,
    notes === '' ? null : clean(notes),
  ];
}

function backendName(backend: string): string | null {
  const name = BACKENDS.get(backend);
  return name === undefined ? clean(backend) : name;
}

/** Why jobs wait for an endpoint that answers. */
function pauseText({ pause }: Endpoint): string | null {
  switch (pause?.state) {
    case 'paused':
      return pause.forS === null ? 'paused' : `paused for ${formatDuration(pause.forS)}`;
    case 'trying':
      return 'tried by one job';
    case 'partly':
      return `${formatPlural(pause.models.length, 'model')} paused`;
    case undefined:
      return null;
  }
}

function iconOf({ probe, pause }: Endpoint, ageS: number | null): NonNullable<Row['icon']> {
  if (ageS !== null) return { id: 'question', color: MUTED };
  if (pause?.state === 'paused') return { id: 'debug-pause', color: WARNING };
  if (probe.state === 'up') {
    return probe.warnings.length > 0
      ? { id: 'warning', color: WARNING }
      : { id: 'pass-filled', color: PASSED };
  }
  return probe.why === 'loading' ? { id: 'watch', color: WARNING } : { id: 'error', color: FAILED };
}

function tooltipOf({ baseUrl, host, probe, pause }: Endpoint): string {
  return joinParts(
    [
      sanitiseLine(baseUrl, 200),
      host === '' ? null : `Host ${clean(host)}`,
      pause ? `No job is sent there, or few: ${sanitiseLine(pause.reason, 300)}` : null,
      ...(pause?.models ?? []).map(
        ({ model, forS }) => `${clean(model)} is paused for ${formatDuration(forS)}`,
      ),
      probe.message === null ? null : sanitiseLine(probe.message, 300),
      probe.hint === '' ? null : sanitiseLine(probe.hint, 300),
      ...probe.warnings.map((warning) => sanitiseLine(warning, 300)),
      probe.state === 'up' ? `Answered in ${Math.round(probe.latencyMs)} ms` : null,
      probe.load?.kvUsage === null || probe.load === null
        ? null
        : `Cache ${Math.round(100 * probe.load.kvUsage)} % full`,
    ],
    '\n',
  );
}
