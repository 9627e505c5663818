import { formatPlural } from '../../../protocol/statusLineParts.ts';
import type { ModelsOverview } from '../../../protocol/ui/uiTools.ts';
import { clean } from './jobFacts.ts';
import { joinParts, type Row, WARNING } from './row.ts';

export type Pool = ModelsOverview['pools'][number];

export function poolRow(pool: Pool): Row {
  const { name, slots, inUse, waiting } = pool;
  const isFull = inUse >= slots;
  const queue = waiting.length === 0 ? null : `${waiting.length} waiting`;
  return {
    id: `pool:${name}`,
    label: clean(name),
    description: joinParts([`${inUse}/${slots} in use`, queue]),
    icon: isFull ? { id: 'circle-large-filled', color: WARNING } : { id: 'circle-large-outline' },
    contextValue: ';pool;',
    accessibleLabel: joinParts(
      [
        `pool ${clean(name)}`,
        `${inUse} of ${formatPlural(slots, 'place')} in use`,
        isFull ? 'full' : null,
        queue,
      ],
      ', ',
    ),
    children: waiting.length > 0 ? 'expanded' : 'none',
    command: null,
    tooltip:
      name === 'default'
        ? 'Models that no pool of models.yaml names.'
        : `Models whose names match ${clean(name)}`,
  };
}
