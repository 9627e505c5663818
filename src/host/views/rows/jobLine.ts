import { joinParts, type Row } from './row.ts';

/** A job where it stands among other things: one that an endpoint works on, or that waits for a pool. */
export function jobLine(
  id: string,
  title: string,
  parts: readonly (string | null)[],
  isRunning: boolean,
): Row {
  const description = joinParts(parts);
  return {
    id,
    label: title,
    description,
    icon: { id: isRunning ? 'loading~spin' : 'clock' },
    contextValue: ';jobLine;',
    accessibleLabel: joinParts([title, isRunning ? 'running' : 'waiting', description], ', '),
    children: 'none',
    command: { name: 'openJob', title: 'Open Job' },
    tooltip: null,
  };
}
