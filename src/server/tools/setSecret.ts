import * as z from 'zod';
import { BridgeError } from '../../base/bridgeError.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { defineTool } from '../tool.ts';

export const setSecret = defineTool({
  name: 'set_secret',
  title: 'Set secret',
  description:
    'Keeps a secret under a name that the configuration refers to; without a value it is deleted.',
  effect: 'destructive',
  isIdempotent: true,
  input: z.strictObject({
    name: z.string().min(1),
    value: z.string().min(1).optional(),
    is_new: z.boolean().optional().describe('Refuses to replace one that is there'),
  }),
  output: answerSchema({ names: z.array(z.string()) }),
  run: async ({ name, value, is_new: isNew = false }, { bridge }) => {
    if (isNew && bridge.secrets.state().names.includes(name)) {
      throw new BridgeError('wrong_state', `There is a secret ${name} already.`, {
        hint: 'Take another name for the new one.',
      });
    }
    if (value === undefined) await bridge.secrets.delete(name);
    else await bridge.secrets.set(name, value);
    return {
      provenance: noModelProvenance(
        value === undefined ? `deleted the secret ${name}` : `kept the secret ${name}`,
      ),
      fields: { names: bridge.secrets.state().names },
    };
  },
});
