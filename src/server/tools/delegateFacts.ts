import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { delegateFacts as contract } from '../../protocol/ui/delegateFacts.ts';
import { defineTool } from '../tool.ts';

export const delegateFacts = defineTool({
  name: 'delegate_facts',
  title: 'Facts before delegating',
  description:
    'What decides how work can be handed over in a folder: its repository, uncommitted changes, the gates and the defaults. No endpoint is asked.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ cwd, paths = [] }, { bridge, signal }) => ({
    provenance: noModelProvenance('looked at the folder and its configuration'),
    fields: toWire(await bridge.delegateFacts({ cwd, paths, signal })) as Record<string, unknown>,
  }),
});
