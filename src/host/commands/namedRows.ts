import { type JobReference, jobReference } from './jobReference.ts';
import type { SelectedRows } from './selectedRows.ts';

/**
 * What the arguments of a command name. A menu in the tree passes its row, and all selected rows second; a key binding in the tree
 * passes `{ kind: 'selection' }`, as keys do not say on which row they were pressed.
 */
export function namedRows(
  [first, second]: readonly unknown[],
  { rows }: Pick<SelectedRows, 'rows'>,
): JobReference[] {
  const isOfSelection = (first as { kind?: unknown } | null | undefined)?.kind === 'selection';
  const all = isOfSelection ? rows : Array.isArray(second) && second.length > 0 ? second : [first];
  return all.flatMap((row: unknown) => jobReference(row) ?? []);
}
