import { alignColumns } from '../../base/alignColumns.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import { agentFindingText } from '../../protocol/agentFindingText.ts';
import { agentModelText } from '../../protocol/agentModelText.ts';
import type { AgentsView, AgentView } from '../../protocol/agentsView.ts';

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

/** What `delegate agents` prints and the client of `list_agents` reads. */
export function formatAgents(view: AgentsView): string {
  const parts = view.folders.map(({ source, path, state, skipped }) =>
    [
      `${TITLES[source]}: ${clean(path)}${STATES[state]}`,
      ...view.agents
        .filter((agent) => agent.source === source)
        .flatMap((agent) => agentLines(agent, view)),
      ...skipped.map((file) => `  Not an agent: ${clean(file.path)}: ${file.why}`),
    ].join('\n'),
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
    return `    ${severity}: ${place}${agentFindingText({ message: clean(message), hint: clean(hint) })}`;
  });
  return [
    `  ${clean(agent.name)}${agent.isUsable ? '' : ' (cannot be used)'}${description}`,
    ...facts,
    ...findings,
  ];
}

function modelText({ model, modelRule }: AgentView, view: AgentsView): string {
  const name = clean(agentModelText({ model, modelRule }));
  const route = view.routes.find((candidate) => candidate.model === model);
  if (route === undefined) return name;
  if (route.failure !== null) return `${name}, but now: ${clean(route.failure.message)}`;
  return `${name}, now ${clean(route.servedModel ?? '')} on ${clean(route.endpoint ?? '')}`;
}

function clean(text: string): string {
  return sanitiseLine(text, 700);
}
