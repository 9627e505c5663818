import { sanitiseLine } from '../../../base/sanitise.ts';
import { formatCount } from '../../../protocol/statusLineParts.ts';
import type { ModelsOverview } from '../../../protocol/ui/uiTools.ts';
import { clean } from './jobFacts.ts';
import { joinParts, type Row, WARNING } from './row.ts';

type ServedModel = ModelsOverview['endpoints'][number]['probe']['models'][number];

export function modelRow(endpoint: string, model: ServedModel): Row {
  const tools =
    model.claimsTools === null ? 'tools unknown' : model.claimsTools ? 'tools' : 'no tools';
  const description = joinParts([
    model.context === null ? 'window unknown' : formatCount(model.context),
    tools,
    model.loaded === false ? 'not loaded' : null,
    model.remoteHost === null ? null : `runs at ${clean(model.remoteHost)}`,
    model.warning === null ? null : sanitiseLine(model.warning, 160),
  ]);
  const isWarned = model.warning !== null;
  return {
    id: `model:${endpoint}:${model.id}`,
    label: clean(model.id),
    description,
    icon: isWarned ? { id: 'warning', color: WARNING } : { id: 'symbol-misc' },
    contextValue: ';model;',
    accessibleLabel: `${clean(model.id)}, served model, ${joinParts([model.context === null ? null : 'window', description], ' ')}`,
    children: 'none',
    command: null,
    tooltip: joinParts(
      [
        clean(model.id),
        model.contextSource === null ? null : `Window by ${clean(model.contextSource)}.`,
        model.warning === null ? null : sanitiseLine(model.warning, 300),
        model.claimsTools === null
          ? 'The server does not say whether it can call tools.'
          : 'Whether it can call tools is what the server claims.',
      ],
      '\n',
    ),
  };
}
