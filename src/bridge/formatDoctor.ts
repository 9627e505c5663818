import { alignColumns } from '../base/alignColumns.ts';
import { sanitiseLine } from '../base/sanitise.ts';
import { formatProblem } from '../config/problem.ts';
import type { DoctorReport } from './bridgeTypes.ts';

/** What `delegate doctor` prints and "Collect Diagnostics" shows. */
export function formatDoctor(report: DoctorReport): string {
  const { jobs } = report;
  return [
    alignColumns([
      ['Delegation Bridge', report.version],
      ['Node', report.node],
      ['State', clean(report.stateDir)],
      ['Configuration', clean(report.configDir)],
      ['Jobs', `${jobs.live} running, ${jobs.queued} waiting, ${jobs.pendingReview} to review`],
    ]),
    section(
      'Files',
      report.files.map((file) => [file.role, clean(file.path), fileState(file)]),
    ),
    section(
      'Programs',
      report.programs.map((program) => [
        program.name,
        program.version ?? '-',
        clean(program.path ?? 'not found'),
      ]),
    ),
    section(
      'Values',
      report.values.map((value) => [value.key, clean(value.value), clean(value.source)]),
    ),
    section(
      'Variables without effect',
      report.ignoredVariables.map((variable) => [variable.name, clean(variable.why)]),
    ),
    section(
      'Agents',
      report.agents.map(({ file, line, severity, message, hint }) => [
        severity,
        clean(
          `${file}${line === 0 ? '' : `:${line}`}: ${message}${hint === '' ? '' : `. ${hint}`}`,
        ),
      ]),
    ),
    section(
      'Problems',
      report.problems.map((problem) => [clean(formatProblem(problem))]),
    ) || '\nNo problems.',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function fileState({ isExisting, isUsed }: DoctorReport['files'][number]): string {
  if (isUsed) return 'used';
  return isExisting ? 'not used: not trusted, see "delegate trust --help"' : 'not there';
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  return rows.length === 0
    ? ''
    : `\n${title}:\n${alignColumns(rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest]))}`;
}

function clean(text: string): string {
  return sanitiseLine(text, 400);
}
