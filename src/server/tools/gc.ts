import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { gc as contract } from '../../protocol/ui/gc.ts';
import { defineTool } from '../tool.ts';

export const gc = defineTool({
  name: 'gc',
  title: 'Clean up',
  description: 'Removes what retention says may go; never a job whose review is pending.',
  effect: 'destructive',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async (args, { bridge }) => {
    const report = await bridge.gc({ dryRun: args.dry_run ?? false });
    return {
      provenance: noModelProvenance(`${report.removedJobs.length} jobs removed`),
      fields: toWire(report) as Record<string, unknown>,
    };
  },
});
