import type { JobGroup } from '../../../protocol/jobGroup.ts';
import { formatPlural } from '../../../protocol/statusLineParts.ts';
import type { Row } from './row.ts';

const TITLES: Readonly<Record<JobGroup, string>> = {
  review: 'For review',
  running: 'Running',
  waiting: 'Waiting',
  finished: 'Finished',
};

export function groupRow(group: JobGroup, count: number): Row {
  return {
    id: `group:${group}`,
    label: `${TITLES[group]} (${count})`,
    description: '',
    icon: null,
    contextValue: `;group;${group};`,
    accessibleLabel: `${TITLES[group]}, ${formatPlural(count, 'job')}`,
    children: group === 'finished' ? 'collapsed' : 'expanded',
    command: null,
    tooltip: null,
  };
}
