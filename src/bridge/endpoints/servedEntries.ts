import { asArray, asObject, asString } from './jsonValue.ts';
import type { ModelEntry } from './probeContext.ts';

const MAX_MODELS = 2000;
const MAX_ID_LENGTH = 300;

export interface ServedEntries {
  readonly entries: readonly ModelEntry[];
  readonly warnings: readonly string[];
}

/**
 * The usable entries of a `/v1/models` document, each id once and in order; null when it is not
 * one.
 */
export function servedEntries(json: unknown): ServedEntries | null {
  const data = asObject(json)?.['data'];
  if (!Array.isArray(data)) return null;
  const entries = new Map<string, ModelEntry>();
  let odd = 0;
  for (const item of asArray(data).slice(0, MAX_MODELS)) {
    const raw = asObject(item);
    const id = asString(raw?.['id']);
    // Ids end up in prompts, terminals and command lines.
    if (raw === null || id === null || id.length > MAX_ID_LENGTH || /\p{C}/u.test(id)) odd++;
    else if (!entries.has(id)) entries.set(id, { id, raw });
  }
  const warnings: string[] = [];
  if (odd > 0) warnings.push(`${odd} listed models have no usable id and are left out.`);
  if (data.length > MAX_MODELS)
    warnings.push(`Only the first ${MAX_MODELS} of ${data.length} listed models are used.`);
  return { entries: [...entries.values()], warnings };
}
