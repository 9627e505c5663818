import { checkFinding, type CheckFinding } from './checkFinding.ts';
import { LEAST_WINDOW, looksLikeAnthropic, smallWindow } from './checkModels.ts';
import type { EffectiveConfig } from './schema.ts';

const MAX_ALIKE = 3;

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
    const alike = models.filter(
      ({ id }) => entry.backend !== 'anthropic' && looksLikeAnthropic(id),
    );
    findings.push(
      ...some(alike, ({ id }) =>
        checkFinding(
          'error',
          'anthropic_name',
          at,
          `"${endpoint}" serves "${id}": a router would send that name to Anthropic; serve it under another alias`,
          { at: 'key' },
        ),
      ),
    );
    if (config.defaults.runner !== 'claude-code') continue;
    const small = models.flatMap(({ id, window }) =>
      window !== null && window < LEAST_WINDOW ? [{ id, window }] : [],
    );
    findings.push(
      ...some(small, ({ id, window }) =>
        checkFinding('warning', 'small_window', at, `${id}: ${smallWindow(window)}`, { at: 'key' }),
      ),
    );
  }
  return findings;
}

/** A gateway may serve hundreds of models that have the same fault; the last of the findings says how many more there are. */
function some<Item>(items: readonly Item[], find: (item: Item) => CheckFinding): CheckFinding[] {
  const shown = items.slice(0, MAX_ALIKE).map(find);
  const more = items.length - shown.length;
  const last = shown.pop();
  if (last === undefined) return [];
  const message = more === 0 ? last.message : `${last.message} (and ${more} more like it)`;
  return [...shown, { ...last, message }];
}
