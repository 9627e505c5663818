import * as z from 'zod';
import { formatAgents } from '../../bridge/agents/formatAgents.ts';
import { agentsViewFields } from '../../protocol/agentsView.ts';
import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { defineTool } from '../tool.ts';

export const listAgents = defineTool({
  name: 'list_agents',
  title: 'List agents',
  description:
    "Agent and skill definitions that run_agent can take by name, by tier (project agents, project skills, the user's own), with the runner, model and tools that a job of each would really get, and what in its file has no effect or misleads.",
  effect: 'read',
  isIdempotent: true,
  input: z.strictObject({
    cwd: z
      .string()
      .optional()
      .describe('Folder whose definitions and configuration count; default: the workspace'),
    name: z.string().optional().describe('Only the definitions of this name'),
  }),
  output: answerSchema(agentsViewFields),
  run: async ({ cwd, name }, { bridge, defaultCwd, signal }) => {
    const all = await bridge.listAgents({ cwd: cwd ?? defaultCwd, signal });
    const agents = all.agents.filter((agent) => name === undefined || agent.name === name);
    const view = { ...all, agents };
    const findings = agents.reduce((sum, agent) => sum + agent.findings.length, 0);
    return {
      provenance: noModelProvenance(
        `found ${formatPlural(agents.length, 'definition')} with ${formatPlural(findings, 'finding')}`,
      ),
      text: formatAgents(view),
      fields: toWire(view) as Record<string, unknown>,
    };
  },
});
