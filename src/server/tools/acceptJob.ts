import * as z from 'zod';
import type { AcceptOutcome } from '../../bridge/bridgeTypes.ts';
import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts';
import { JOB_FIELDS, jobAnswer } from '../toolAnswers.ts';

const path = z.looseObject({ path: z.string() });

export const ACCEPT_FIELDS = {
  ...JOB_FIELDS,
  result: z.object({
    status: z.enum(['applied', 'refused', 'nothing', 'dry-run']),
    applied: z.array(path),
    conflicts: z.array(path.extend({ reason: z.string(), message: z.string() })),
    skipped: z.array(path.extend({ reason: z.string() })),
    undo_ref: z.string().nullable(),
    commit: z.string().nullable(),
    coverage: z.enum(['exact', 'merged']),
  }),
} as const;

export const acceptJob = defineTool({
  name: 'accept_job',
  title: 'Accept job',
  description:
    'Applies what a job changed, all or the named files, to the checkout (or to a branch), by three-way merge: all of it or nothing. Review job_diff first. Recorded as accepted by you, not by a person.',
  effect: 'destructive',
  isIdempotent: true,
  input: z.strictObject({
    job_id: z.string().min(1),
    files: z.array(z.string()).min(1).optional().describe('Only these; default: all'),
    how: z.enum(['working-tree', 'branch']).optional().describe('Default working-tree'),
    dry_run: z.boolean().optional().describe('Say what would happen and write nothing'),
    skip_conflicts: z.boolean().optional().describe('Apply the files without conflicts'),
  }),
  output: answerSchema(ACCEPT_FIELDS),
  run: async (args, context) => {
    const { id } = context.bridge.job(args.job_id);
    const outcome = await context.bridge.reviews.accept(id, context.caller, {
      ...(args.files === undefined ? {} : { files: args.files }),
      ...(args.how === undefined ? {} : { how: args.how }),
      ...(args.dry_run === undefined ? {} : { dryRun: args.dry_run }),
      ...(args.skip_conflicts === undefined ? {} : { skipConflicts: args.skip_conflicts }),
    });
    return acceptAnswer(outcome, context);
  },
});

/** Conflicts are an outcome, not an exception: nothing was written, and each file says why. */
export function acceptAnswer({ job, result }: AcceptOutcome, context: ToolContext): ToolAnswer {
  const answer = jobAnswer(job, context);
  const fields = { result: toWire(result), ...answer.fields };
  if (result.status !== 'refused') return { ...answer, fields };
  const count = result.conflicts.length;
  return {
    ...answer,
    fields,
    error: {
      kind: 'conflict',
      message: `Nothing was written: ${count === 1 ? 'one file is' : `${count} files are`} in conflict.`,
      hint: 'Resolve them in the checkout or leave them out: name the other files, or set skip_conflicts.',
    },
  };
}
