import { sanitiseLine } from '../base/sanitise.ts';
import type { EndpointProbe } from '../bridge/endpoints/endpointProbe.ts';
import type { TriedEndpoint } from '../bridge/triedEndpoint.ts';

/** What answered at an address, as lines for a person, with the entry to copy at the end. */
export function formatTried(tried: TriedEndpoint): string {
  const { probe, formats, tools, registeredAs } = tried;
  const fact = (name: string, value: string): string =>
    value === '' ? '' : `  ${name.padEnd(9)}${sanitiseLine(value, 400)}`;
  const windows = probe.models.flatMap(({ context }) => (context === null ? [] : [context]));
  return [
    sanitiseLine(
      `${tried.baseUrl} ${registeredAs === null ? '' : `(registered as ${registeredAs})`}`,
      400,
    ).trim(),
    fact('state', servedLine(probe)),
    ...(probe.state === 'up'
      ? [
          fact('kind', probe.backend),
          fact('window', windows.length === 0 ? 'unknown' : `${Math.max(...windows)} tokens`),
          fact('slots', probe.slots === null ? 'unknown' : String(probe.slots.total)),
          fact('formats', formats.length === 0 ? 'unknown' : formats.join(', ')),
          fact(
            'tools',
            tools === null ? 'not tried; --tools asks a model' : `${tools.answer}. ${tools.why}`,
          ),
        ]
      : [fact('to do', probe.hint)]),
    fact('place', tried.locality),
    fact('note', tried.placeWarning ?? ''),
    ...probe.warnings.map((warning) => fact('note', warning)),
    '',
    'For models.yaml:',
    'endpoints:',
    `  ${yamlKey(tried.suggestedName)}:`,
    ...tried.entry.map(({ key, value }) => `    ${key}: ${value}`),
  ]
    .filter((line, index, all) => line !== '' || all[index + 1] === 'For models.yaml:')
    .join('\n');
}

/** One sentence: what it serves, or why it cannot be used. */
export function servedLine(probe: EndpointProbe): string {
  const served = probe.models.map(({ id }) => id).join(', ') || 'no model that it names';
  return sanitiseLine(
    probe.state === 'up'
      ? `It answers and serves ${served}.`
      : `It cannot be used now: ${probe.message ?? 'it is down'}`,
    1_000,
  );
}

/** A name as a key of YAML; the values of an entry (addresses, words, references) need no quotes. */
function yamlKey(name: string): string {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(name) && !/^(true|false|null|yes|no|on|off)$/i.test(name)
    ? name
    : JSON.stringify(name);
}
