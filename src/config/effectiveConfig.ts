import type { CheckFinding } from './checkFinding.ts';
import { serverRoot } from './serverRoot.ts';
import { type EffectiveConfig, type ModelsFile, modelsFileSchema } from './schema.ts';

/** All defaults applied, addresses as the root of their server; endpoints and gates that a check found wrong are left out. */
export function effectiveConfig(
  merged: ModelsFile,
  findings: readonly CheckFinding[],
): EffectiveConfig {
  const broken = new Set(
    findings
      .filter((finding) => finding.severity === 'error' && finding.path.length >= 2)
      .map((finding) => `${finding.path[0]} ${finding.path[1]}`),
  );
  const { endpoints, gates, pools, models, fleet, ...rest } = modelsFileSchema.parse(merged);
  return {
    ...rest,
    pools: lookup(Object.entries({ default: { slots: 6 }, ...pools })),
    models: lookup(Object.entries(models)),
    fleet: lookup(Object.entries(fleet)),
    endpoints: lookup(
      Object.entries(endpoints).flatMap(([name, { base_url, ...entry }]) =>
        base_url === undefined || broken.has(`endpoints ${name}`)
          ? []
          : [[name, { base_url: serverRoot(base_url), ...entry }]],
      ),
    ),
    gates: lookup(
      Object.entries(gates).flatMap(([name, { run, ...entry }]) =>
        run === undefined || broken.has(`gates ${name}`) ? [] : [[name, { run, ...entry }]],
      ),
    ),
  };
}

/** Without a prototype: a name that a caller made up, such as "constructor", finds nothing. */
function lookup<Value>(entries: [string, Value][]): Record<string, Value> {
  return Object.assign(Object.create(null) as Record<string, Value>, Object.fromEntries(entries));
}
