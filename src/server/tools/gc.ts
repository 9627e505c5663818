import * as z from 'zod';
import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { defineTool } from '../tool.ts';

const keptJob = z.looseObject({ job_id: z.string(), why: z.string() });

export const gc = defineTool({
  name: 'gc',
  title: 'Clean up',
  description: 'Removes what retention says may go; never a job whose review is pending.',
  effect: 'destructive',
  isIdempotent: true,
  input: z.strictObject({ dry_run: z.boolean().optional() }),
  output: answerSchema({
    removed_jobs: z.array(z.string()),
    freed_bytes: z.number(),
    kept: z.array(keptJob),
    needs_clean_up: z.array(keptJob),
  }),
  run: async (args, { bridge }) => {
    const report = await bridge.gc({ dryRun: args.dry_run ?? false });
    return {
      provenance: noModelProvenance(`${report.removedJobs.length} jobs removed`),
      fields: toWire(report) as Record<string, unknown>,
    };
  },
});
