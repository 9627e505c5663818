import { basename } from 'node:path';
import { sanitiseLine } from '../../../base/sanitise.ts';
import type { ModelsOverview } from '../../../protocol/ui/uiTools.ts';
import { clean } from './jobFacts.ts';
import { FAILED, joinParts, type Row, WARNING } from './row.ts';

export type ConfigProblem = NonNullable<ModelsOverview['problems']>[number];

/** What is wrong in a models.yaml; a click opens the place. */
export function problemRow(index: number, problem: ConfigProblem): Row {
  const { file, line, severity, suggestion } = problem;
  const message = sanitiseLine(problem.message, 300);
  const place = line > 0 ? `${clean(basename(file))}:${line}` : clean(basename(file));
  const advice = suggestion === null ? null : sanitiseLine(suggestion, 200);
  return {
    id: `problem:${index}:${file}:${line}:${problem.code}`,
    label: message,
    description: joinParts([place, advice]),
    icon: severity === 'error' ? { id: 'error', color: FAILED } : { id: 'warning', color: WARNING },
    contextValue: ';problem;',
    accessibleLabel: joinParts([`${severity}: ${message}`, place, advice], ', '),
    children: 'none',
    command: null,
    tooltip: joinParts([message, advice, sanitiseLine(file, 400)], '\n'),
  };
}

/** A file of the repository that does not count until a person says so. */
export function untrustedRow(file: string): Row {
  const name = clean(basename(file));
  return {
    id: `untrusted:${file}`,
    label: `${name} of this repository is not used`,
    description: 'not trusted yet',
    icon: { id: 'shield', color: WARNING },
    contextValue: ';untrusted;',
    accessibleLabel: `${name} of this repository is not used, not trusted yet. Activate to see what it sets and to trust it`,
    children: 'none',
    command: { name: 'trustRepositorySettings', title: "Trust This Repository's Settings" },
    tooltip: `${sanitiseLine(file, 400)}\nIt sets things that could run programs or send data elsewhere.`,
  };
}
