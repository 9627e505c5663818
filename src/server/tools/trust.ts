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
    was_trusted: z.boolean(),
  }),
  run: async ({ path, revoke = false }, { bridge }) => {
    if (revoke) {
      const wasTrusted = await bridge.untrust(path);
      return {
        provenance: noModelProvenance(`${path} is not trusted any more`),
        fields: { file: path, keys: [], was_trusted: wasTrusted },
      };
    }
    const { file, keys } = await bridge.trust(path);
    return { provenance: noModelProvenance(`${file} is trusted`), fields: { file, keys } };
  },
});
