import type { JobRecord } from './job.ts';
import { formatDuration, formatPlural } from './statusLineParts.ts';

/** What a receipt says about the gate, wherever it is shown. May hold foreign words. */
export function receiptGate({
  gate,
  repairRounds,
}: Pick<JobRecord, 'gate' | 'repairRounds'>): string {
  if (gate === null || gate.status === 'none') return 'none: nothing has checked the result';
  const parts = [
    `${gate.name} ${gate.status}`,
    gate.exit === null ? null : `exit ${gate.exit}`,
    gate.durationS === null ? null : `in ${formatDuration(gate.durationS)}`,
    gate.base === 'unknown' ? null : `was ${gate.base} before the job`,
    repairRounds === 0 ? null : `after ${formatPlural(repairRounds, 'repair round')}`,
    gate.covers === 'exact' ? null : `on content that was ${gate.covers} since`,
    gate.protectedChanged.length === 0
      ? null
      : `protected files changed: ${gate.protectedChanged.join(', ')}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
