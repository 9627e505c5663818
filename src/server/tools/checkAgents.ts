import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { checkAgents as contract } from '../../protocol/ui/checkAgents.ts';
import { defineTool } from '../tool.ts';

export const checkAgents = defineTool({
  name: 'check_agents',
  title: 'Check agents',
  description:
    'What the agent and skill definitions of a folder would really get, and what in their files has no effect or misleads, with the text of open editors. No endpoint is asked.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ cwd, open = [], served }, { bridge }) => ({
    provenance: noModelProvenance('checked the definitions'),
    fields: toWire(await bridge.checkAgents({ cwd, open, served: served ?? null })) as Record<
      string,
      unknown
    >,
  }),
});
