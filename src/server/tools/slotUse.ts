import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { slotUse as contract } from '../../protocol/ui/slotUse.ts';
import { defineTool } from '../tool.ts';

export const slotUse = defineTool({
  name: 'slot_use',
  title: 'Use of pools',
  description:
    'How many places of each pool and endpoint are in use, and who waits. No endpoint is asked.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ cwd }, { bridge, defaultCwd }) => ({
    provenance: noModelProvenance('counted jobs in the store'),
    fields: toWire(bridge.slotUse({ cwd: cwd ?? defaultCwd })) as Record<string, unknown>,
  }),
});
