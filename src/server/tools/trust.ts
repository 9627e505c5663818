import * as z from 'zod';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { defineTool } from '../tool.ts';

export const trust = defineTool({
  name: 'trust',
  title: 'Trust workspace file',
  description: "Lets a workspace's models.yaml count, as it is now, or takes that back.",
  effect: 'write',
  isIdempotent: true,
  input: z.strictObject({
    path: z.string().min(1),
    revoke: z.boolean().optional(),
  }),
  output: answerSchema({
    file: z.string(),
    keys: z.array(z.string()).describe('Keys that can run programs or send data elsewhere'),
    values: z
      .array(z.object({ key: z.string(), value: z.string() }))
      .describe('What these keys are set to, as JSON'),
    is_used: z.boolean().describe('False for a models.yaml that is not of this program'),
    was_trusted: z.boolean(),
  }),
  run: async ({ path, revoke = false }, { bridge }) => {
    if (revoke) {
      const wasTrusted = await bridge.untrust(path);
      return {
        provenance: noModelProvenance(
          wasTrusted ? `${path} is not trusted any more` : `${path} was not trusted`,
        ),
        fields: { file: path, keys: [], values: [], is_used: false, was_trusted: wasTrusted },
      };
    }
    const { file, keys, values, isUsed } = await bridge.trust(path);
    return {
      provenance: noModelProvenance(`${file} is trusted`),
      fields: { file, keys, values, is_used: isUsed },
    };
  },
});
