import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { configFacts as contract } from '../../protocol/ui/configFacts.ts';
import { defineTool } from '../tool.ts';

export const configFacts = defineTool({
  name: 'config_facts',
  title: 'Configuration facts',
  description: 'Which endpoints the configuration names, and in which files. No endpoint is asked.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ cwd }, { bridge, defaultCwd }) => ({
    provenance: noModelProvenance('read the configuration'),
    fields: toWire(await bridge.configFacts(cwd ?? defaultCwd)) as Record<string, unknown>,
  }),
});
