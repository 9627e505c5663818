import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { trust as contract } from '../../protocol/ui/trust.ts';
import { defineTool } from '../tool.ts';

export const trust = defineTool({
  name: 'trust',
  title: 'Trust workspace file',
  description: "Lets a workspace's models.yaml count, as it is now, or takes that back.",
  effect: 'write',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ path, revoke = false, dry_run: isDryRun = false, fingerprint }, { bridge }) => {
    if (revoke) {
      const wasTrusted = await bridge.trusted.remove(path);
      return {
        provenance: noModelProvenance(
          wasTrusted ? `${path} is not trusted any more` : `${path} was not trusted`,
        ),
        fields: {
          ...{ file: path, keys: [], values: [], is_used: false },
          ...{ was_trusted: wasTrusted, fingerprint: null },
        },
      };
    }
    const subject = await bridge.trusted.subject(path);
    const shown = {
      ...{ file: subject.file, keys: subject.keys, values: subject.values },
      ...{ was_trusted: subject.isTrusted, fingerprint: subject.fingerprint },
    };
    if (isDryRun) {
      return {
        provenance: noModelProvenance(`${subject.file} was only looked at`),
        fields: { ...shown, is_used: subject.isTrusted },
      };
    }
    const { file, keys, values, isUsed } = await bridge.trusted.add(path, fingerprint ?? null);
    return {
      provenance: noModelProvenance(`${file} is trusted`),
      fields: { ...shown, keys, values, is_used: isUsed },
    };
  },
});
