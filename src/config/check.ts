import { checkEndpoints } from './checkEndpoints.ts';
import { checkFailover } from './checkFailover.ts';
import { checkFinding, type CheckFinding } from './checkFinding.ts';
import { checkInactive } from './checkInactive.ts';
import { checkModels } from './checkModels.ts';
import { checkSecrets } from './checkSecrets.ts';
import type { ModelsFile } from './schema.ts';

/**
 * Every rule that looks at more than the type of one key. `value` is one file on its own, or all layers merged. What only
 * the servers know (slots, windows, served names) is in checkServed().
 */
export function checkConfig(value: ModelsFile): CheckFinding[] {
  return [
    ...checkEndpoints(value),
    ...checkGates(value),
    ...checkSecrets(value),
    ...checkFailover(value),
    ...checkModels(value),
    ...checkInactive(value),
  ];
}

function checkGates(value: ModelsFile): CheckFinding[] {
  return Object.entries(value.gates ?? {})
    .filter(([, gate]) => gate.run === undefined)
    .map(([name]) =>
      checkFinding(
        'error',
        'missing_key',
        ['gates', name],
        `the gate "${name}" has no "run"; it is left out`,
        { at: 'key' },
      ),
    );
}
