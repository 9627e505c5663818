import type { HostParts } from '../hostParts.ts';
import { jobInFront } from './jobInFront.ts';
import type { JobReference } from './jobReference.ts';
import { namedRows } from './namedRows.ts';

export interface FileOfJob {
  readonly jobId: string;
  readonly path: string;
}

/** The files of jobs that a command is meant for: the rows it was given, else the file of the editor in front. */
export function fileArguments(
  args: readonly unknown[],
  { selectedRows }: Pick<HostParts, 'selectedRows'>,
): FileOfJob[] {
  const named = namedRows(args, selectedRows).flatMap(fileOf);
  if (named.length > 0 || args[0] !== undefined) return named;
  const inFront = jobInFront();
  return inFront === null ? [] : fileOf(inFront);
}

function fileOf({ jobId, path }: JobReference): FileOfJob[] {
  return path === null ? [] : [{ jobId, path }];
}
