import { sanitiseLine } from '../../base/sanitise.ts';
import type { DoctorReport } from '../../bridge/bridgeTypes.ts';
import { formatProblem } from '../../config/problem.ts';
import { alignColumns } from '../alignColumns.ts';
import { type Command, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import { flag, textOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const doctor: Command = {
  usage: 'doctor [--config FILE] [--json]',
  description:
    'Shows which folders, files and programs are used, each value with where it comes from, and what is wrong.',
  minPositionals: 0,
  maxPositionals: 0,
  exitCodes: '0 nothing is wrong, 1 the configuration has errors.',
  options: { config: CONFIG_OPTION, json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge(textOption(args, 'config'));
    const report = await bridge.doctor(context.cwd);
    if (flag(args, 'json')) printJson(context, report);
    else printText(context, formatDoctor(report));
    return report.problems.some((problem) => problem.severity === 'error') ? 1 : 0;
  },
};

function formatDoctor(report: DoctorReport): string {
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
