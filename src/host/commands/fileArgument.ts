import type { HostParts } from '../hostParts.ts';
import { jobInFront } from './jobInFront.ts';
import type { JobReference } from './jobReference.ts';
import { namedRows } from './namedRows.ts';

export interface FileOfJob {
  readonly jobId: string;
  readonly path: string;
}

/** The file of a job that a command is meant for: the one it was given, else the one of the editor in front. */
export function fileArgument(
  args: readonly unknown[],
  parts: Pick<HostParts, 'selectedRows'>,
): FileOfJob | undefined {
  return fileArguments(args.slice(0, 1), parts)[0];
}

/** As `fileArgument`, for several rows of the tree at once. */
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
