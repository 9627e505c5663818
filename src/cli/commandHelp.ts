import type { Command } from './command.ts';
import { alignColumns } from '../base/alignColumns.ts';

/** The page of `delegate <name> --help`. */
export function commandHelp(command: Command): string {
  const rows = Object.entries(command.options).map(([name, spec]) => [
    `  ${spec.short === undefined ? '   ' : `-${spec.short},`} --${name}${spec.value === undefined ? '' : ` ${spec.value}`}`,
    spec.help,
  ]);
  rows.push(['  -h, --help', 'This page']);
  return [
    `Usage: delegate ${command.usage}`,
    '',
    command.description,
    '',
    'Options:',
    alignColumns(rows),
    '',
    `Exit codes: ${command.exitCodes ?? '0 when it succeeded, 1 when not.'}`,
    '',
  ].join('\n');
}
