import { alignColumns } from '../../base/alignColumns.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { AgentsView, AgentView } from '../../protocol/agentsView.ts';
import { type Command, CONFIG_OPTION, JSON_OPTION } from '../command.ts';
import { flag, textOption } from '../optionReaders.ts';
import { printJson, printText } from '../print.ts';

export const agents: Command = {
  usage: 'agents [--config FILE] [--json]',
  description:
    'Lists agent and skill definitions by place, with the model and the tools that a job of each would really get, and says what in its file has no effect or misleads.',
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

const TITLES: Readonly<Record<AgentView['source'], string>> = {
  'project-agent': 'Project agents',
  'project-skill': 'Project skills',
  global: 'Your own agents',
};

const STATES: Readonly<Record<AgentsView['folders'][number]['state'], string>> = {
  read: '',
  missing: ' (not there)',
  unreadable: ' (cannot be read)',
};

function formatAgents(view: AgentsView): string {
  const parts = view.folders.map(({ source, path, state, skipped }) =>
    [
      `${TITLES[source]}: ${clean(path)}${STATES[state]}`,
      ...view.agents
        .filter((agent) => agent.source === source)
        .flatMap((agent) => agentLines(agent, view)),
      ...skipped.map((file) => `  Not an agent: ${clean(file.path)}: ${file.why}`),
    ].join('\n'),
  );
  if (view.agents.length > 0 && view.defaultRunner !== 'loop')
    parts.push(
      `Definitions are for the runner loop, and a call that names no runner gets ${view.defaultRunner}: say --runner loop, or set defaults.runner.`,
    );
  return parts.join('\n\n');
}

function agentLines(agent: AgentView, view: AgentsView): string[] {
  const description = agent.description === '' ? '' : `  ${clean(agent.description)}`;
  const facts =
    agent.isUsable && agent.shadowedBy === null
      ? alignColumns([
          ['    Model', modelText(agent, view)],
          ['    Tools', clean(agent.tools.join(', '))],
        ]).split('\n')
      : [];
  const findings = agent.findings.map(({ severity, range, message, hint }) => {
    const place = range.line === 0 ? '' : `line ${range.line}: `;
    return `    ${severity}: ${place}${clean(message)}${hint === '' ? '' : `. ${clean(hint)}`}`;
  });
  return [
    `  ${clean(agent.name)}${agent.isUsable ? '' : ' (cannot be used)'}${description}`,
    ...facts,
    ...findings,
  ];
}

const RULES: Readonly<Record<AgentView['modelRule'], string>> = {
  call: 'named by the call',
  'coding-model': 'runners.loop.coding_model',
  'default-model': 'defaults.model',
  'first-served': '',
};

function modelText({ model, modelRule }: AgentView, view: AgentsView): string {
  const name = model === null ? 'the first served model' : `${clean(model)} (${RULES[modelRule]})`;
  const route = view.routes.find((candidate) => candidate.model === model);
  if (route === undefined) return name;
  if (route.failure !== null) return `${name}, but now: ${clean(route.failure.message)}`;
  return `${name}, now ${clean(route.servedModel ?? '')} on ${clean(route.endpoint ?? '')}`;
}

function clean(text: string): string {
  return sanitiseLine(text, 700);
}
