import { formatDoctor } from '../../bridge/formatDoctor.ts';
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
