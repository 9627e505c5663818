import { sizeWords } from './sizeWords.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import type { UiAnswer } from '../../protocol/ui/uiTools.ts';

export type CleanUpReport = UiAnswer<'gc'>;

export interface CleanUpRow {
  readonly jobId: string;
  readonly description: string;
}

export interface CleanUpRows {
  /** What the one action would do, and how much it frees. */
  readonly action: string;
  readonly actionDetail: string;
  readonly goes: readonly CleanUpRow[];
  /** Largest first. */
  readonly stays: readonly CleanUpRow[];
  /** Of everything that jobs take, worktrees included. */
  readonly total: string;
}

/** What a dry run of the clean-up found, as rows: what would go, what is kept and why. */
export function cleanUpRows({ removedJobs, freedBytes, kept, disk }: CleanUpReport): CleanUpRows {
  const sizes = new Map(disk.map((each) => [each.jobId, each]));
  const sizeOf = (jobId: string): number => {
    const size = sizes.get(jobId);
    return (size?.bytes ?? 0) + (size?.treeBytes ?? 0);
  };
  const words = (jobId: string): string => {
    const size = sizes.get(jobId);
    if (size === undefined) return '';
    return size.treeBytes === null
      ? sizeWords(size.bytes)
      : `${sizeWords(size.bytes)} and a worktree of ${sizeWords(size.treeBytes)}`;
  };
  const reasons = new Map(kept.map(({ jobId, why }) => [jobId, why]));
  const going = new Set(removedJobs);
  const stays = disk
    .map(({ jobId }) => jobId)
    .filter((jobId) => !going.has(jobId))
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  return {
    action:
      removedJobs.length === 0
        ? 'Try leftovers of earlier clean-ups again'
        : `Remove the logs of ${formatPlural(removedJobs.length, 'job')}`,
    actionDetail:
      removedJobs.length === 0
        ? 'No log is old or large enough to go. Receipts always stay.'
        : `Frees ${sizeWords(freedBytes)}. Receipts stay, and so does every job that waits for review.`,
    goes: removedJobs.map((jobId) => ({ jobId, description: words(jobId) })),
    stays: stays.map((jobId) => ({
      jobId,
      description: `${words(jobId)} · ${reasons.get(jobId) ?? 'not old enough'}`,
    })),
    total: sizeWords(disk.reduce((sum, { jobId }) => sum + sizeOf(jobId), 0)),
  };
}
