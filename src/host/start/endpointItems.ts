import type { UiAnswer } from '../../protocol/ui/uiTools.ts';
import { foreignLabel } from './foreignLabel.ts';
import { abilityWords, kindWords, probeWords } from './probeWords.ts';

export type Found = UiAnswer<'scan_endpoints'>['found'][number];

export interface FoundItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly found: Found;
}

/** A server that was found, as a row to choose. */
export function foundItem(found: Found): FoundItem {
  const { probe, baseUrl, registeredAs } = found;
  const isUp = probe.state === 'up';
  const known = registeredAs === null ? '' : ` · registered as ${registeredAs}`;
  return {
    label: `$(${isUp ? 'vm-active' : 'vm-outline'}) ${foreignLabel(kindWords(probe))}`,
    description: foreignLabel(`${hostOf(baseUrl)}${known}`),
    detail: foreignLabel(
      [probeWords(probe), abilityWords(found)].filter((text) => text !== '').join(' · '),
      300,
    ),
    found,
  };
}

/** The kind of server, where the smallest entry that is right has it; as an argument of `add_endpoint`. */
export function backendOf({ entry }: Pick<Found, 'entry'>): { readonly backend?: string } {
  const field = entry.find(({ key }) => key === 'backend');
  return field === undefined ? {} : { backend: field.value };
}

/** `127.0.0.1:8080` of an address. */
export function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host ?? baseUrl;
}
