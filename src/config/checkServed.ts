import { checkFinding, type CheckFinding } from './checkFinding.ts';
import { LEAST_WINDOW, looksLikeAnthropic, smallWindow } from './checkModels.ts';
import type { EffectiveConfig } from './schema.ts';

/** What a probe of one endpoint found. */
export interface ServedFacts {
  readonly endpoint: string;
  readonly slots: number | null;
  readonly models: readonly { readonly id: string; readonly window: number | null }[];
}

/** The checks that need to know what the servers really offer. */
export function checkServed(
  config: Pick<EffectiveConfig, 'endpoints' | 'defaults'>,
  facts: readonly ServedFacts[],
): CheckFinding[] {
  const findings: CheckFinding[] = [];
  for (const { endpoint, slots, models } of facts) {
    const entry = config.endpoints[endpoint];
    if (entry === undefined) continue;
    const at = ['endpoints', endpoint];
    const wanted = entry.max_concurrent;
    if (slots !== null && wanted !== 'auto' && wanted > slots) {
      findings.push(
        checkFinding(
          'warning',
          'too_many_slots',
          [...at, 'max_concurrent'],
          `"${endpoint}" reports ${slots} slots; ${wanted} jobs at once would wait in the server`,
        ),
      );
    }
    for (const { id, window } of models) {
      if (entry.backend !== 'anthropic' && looksLikeAnthropic(id)) {
        findings.push(
          checkFinding(
            'error',
            'anthropic_name',
            at,
            `"${endpoint}" serves "${id}": a router would send that name to Anthropic; serve it under another alias`,
            { at: 'key' },
          ),
        );
      }
      if (window !== null && window < LEAST_WINDOW && config.defaults.runner === 'claude-code') {
        findings.push(
          checkFinding('warning', 'small_window', at, `${id}: ${smallWindow(window)}`, {
            at: 'key',
          }),
        );
      }
    }
  }
  return findings;
}
