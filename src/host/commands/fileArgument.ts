import type { HostParts } from '../hostParts.ts';
import { isOfSelection } from './jobArgument.ts';
import { jobInFront } from './jobInFront.ts';
import { jobReference } from './jobReference.ts';

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
  [first, second]: readonly unknown[],
  { selectedRows }: Pick<HostParts, 'selectedRows'>,
): FileOfJob[] {
  const rows: readonly unknown[] = isOfSelection(first)
    ? selectedRows.rows
    : Array.isArray(second) && second.length > 0
      ? second
      : [first];
  const named = rows.flatMap((row) => fileOf(jobReference(row)));
  return named.length > 0 || first !== undefined ? named : fileOf(jobInFront());
}

function fileOf(reference: ReturnType<typeof jobReference>): FileOfJob[] {
  if (reference === null || reference.path === null) return [];
  return [{ jobId: reference.jobId, path: reference.path }];
}
