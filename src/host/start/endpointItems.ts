import type { UiAnswer } from '../../protocol/ui/uiTools.ts';
import { foreignLabel } from './foreignLabel.ts';
import { kindWords, probeWords } from './probeWords.ts';

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
    detail: foreignLabel(probeWords(probe), 300),
    found,
  };
}

/** `127.0.0.1:8080` of an address. */
export function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host ?? baseUrl;
}
