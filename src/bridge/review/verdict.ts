import type { ChangedFile, JobRecord } from '../../protocol/job.ts';

type Review = JobRecord['review'];

export interface Verdict extends Pick<Review, 'status' | 'files' | 'dropped'> {
  /** Nothing is open: every file was taken or dropped. */
  readonly isDecided: boolean;
}

/**
 * The word on a job whose files were taken and dropped one by one. What git ignores and repositories inside the tree are never taken
 * unless they are named, so they leave nothing open.
 */
export function verdictOf(
  changed: readonly ChangedFile[],
  taken: Iterable<string>,
  dropped: Iterable<string>,
): Verdict {
  const files = [...new Set(taken)];
  const left = [...new Set(dropped)].filter((path) => !files.includes(path));
  const isOpen = ({ path, change }: ChangedFile): boolean =>
    change !== 'ignored' && change !== 'nested' && !files.includes(path) && !left.includes(path);
  if (changed.some(isOpen)) {
    return {
      status: files.length === 0 ? 'pending' : 'partly',
      files,
      dropped: left,
      isDecided: false,
    };
  }
  // What the job no longer changes (a person has edited it back) was not refused.
  const refused = left.filter((path) => changed.some((file) => file.path === path));
  const status = refused.length === 0 ? 'accepted' : files.length === 0 ? 'rejected' : 'partly';
  return { status, files, dropped: refused, isDecided: true };
}
