import * as path from 'node:path';
import { foreignLabel } from '../start/foreignLabel.ts';
import type { SecretUse } from './secretUses.ts';

const MAX_USES = 3;

/** Where a secret is used, the first few places, as a part of a sentence; empty: nowhere. */
export function useWords(uses: readonly SecretUse[], name: string): string {
  const own = uses.filter((use) => use.name === name);
  const shown = own
    .slice(0, MAX_USES)
    .map(({ file, line }) => `${foreignLabel(path.basename(file))}:${line}`);
  const left = own.length - shown.length;
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
