import { formatAgents } from '../../bridge/agents/formatAgents.ts';
import { type Command, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import { flag, textOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const agents: Command = {
  usage: 'agents [--config FILE] [--json]',
  description:
    'Lists agent and skill definitions by place, with the model and the tools that a job of each would really get,\nand says what in its file has no effect or misleads.',
  minPositionals: 0,
  maxPositionals: 0,
  exitCodes: '0 every definition can be used, 1 not so.',
  options: { config: CONFIG_OPTION, json: JSON_OPTION },
  run: async (args, context) => {
    const bridge = await context.bridge(textOption(args, 'config'));
    const view = await bridge.listAgents({ cwd: context.cwd });
    if (flag(args, 'json')) printJson(context, view);
    else printText(context, formatAgents(view));
    return view.agents.some((agent) => !agent.isUsable) ? 1 : 0;
  },
};
