import type { Row } from './row.ts';

/** The last row of the finished jobs while there are older ones. */
export function moreRow(shown: number, total: number, isLoading: boolean): Row {
  const rest = Math.max(0, total - shown);
  const label = isLoading ? 'Loading older jobs…' : 'Load More';
  return {
    id: 'more',
    label,
    description: `${rest} older`,
    icon: { id: isLoading ? 'loading~spin' : 'ellipsis' },
    contextValue: ';more;',
    accessibleLabel: `${label}, ${rest} older jobs are not shown`,
    children: 'none',
    command: { name: 'loadMoreJobs', title: 'Load More Jobs' },
    tooltip: null,
  };
}
