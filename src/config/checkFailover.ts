import { checkFinding, type CheckFinding } from './checkFinding.ts';
import { isPinned } from './isPinned.ts';
import { modelFacts } from './modelFacts.ts';
import { globScore } from './modelMatch.ts';
import { poolOf } from './poolOf.ts';
import { failoverSchema } from './sectionsSchema.ts';
import type { ModelsFile } from './schema.ts';

/** Chains that cannot work, or that would cost what the user does not expect. */
export function checkFailover(value: ModelsFile): CheckFinding[] {
  const findings: CheckFinding[] = [];
  const failover = failoverSchema.parse(value.failover ?? {});
  const pools = value.pools ?? {};
  const models = value.models ?? {};
  const isKnown = (name: string) =>
    poolOf(pools, name) !== 'default' ||
    Object.keys(models).some((pattern) => globScore(pattern, name) >= 0);

  for (const [origin, chain] of Object.entries(failover.chains)) {
    const at = ['failover', 'chains', origin];
    if (!isKnown(origin)) {
      findings.push(
        checkFinding(
          'warning',
          'unknown_model',
          at,
          `"${origin}" matches no pool and no entry of "models"`,
          { at: 'key' },
        ),
      );
    }
    for (const [index, member] of chain.entries()) {
      const add = (severity: 'error' | 'warning', code: string, message: string) =>
        findings.push(checkFinding(severity, code, [...at, index], message));
      if (member === origin) {
        add('error', 'chain_self', `"${origin}" cannot stand in for itself`);
        continue;
      }
      if (chain.indexOf(member) < index) {
        add('error', 'chain_repeat', `"${member}" is in this chain already`);
        continue;
      }
      if (isPinned(failover.pinned, origin) || isPinned(failover.pinned, member)) {
        const pinned = isPinned(failover.pinned, origin) ? origin : member;
        add(
          'error',
          'chain_pinned',
          `"${pinned}" is pinned (failover.pinned): it is never replaced and never a replacement`,
        );
      }
      const pool = poolOf(pools, origin);
      if (pool === poolOf(pools, member)) {
        const message = `"${member}" shares the pool "${pool}" with "${origin}": when one is full the other is too`;
        // Everything without a pool of its own is in "default", where a chain still helps when an endpoint is busy or fails.
        add(pool === 'default' ? 'warning' : 'error', 'chain_pool', message);
      }
      if (!isKnown(member))
        add('warning', 'unknown_model', `"${member}" matches no pool and no entry of "models"`);
      if (
        modelFacts(models, origin).billing === 'flat' &&
        modelFacts(models, member).billing === 'metered'
      ) {
        add(
          'warning',
          'chain_billing',
          `"${origin}" is paid flat but "${member}" by the token: this chain can cost money`,
        );
      }
    }
  }
  return findings;
}
