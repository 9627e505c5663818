import * as z from 'zod';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { defineTool } from '../tool.ts';
import { ACCEPT_FIELDS, acceptAnswer } from './acceptJob.ts';

export const undoAccept = defineTool({
  name: 'undo_accept',
  title: 'Undo accept',
  description: 'Puts the files of the last accept of a job back as they were before it.',
  effect: 'destructive',
  isIdempotent: true,
  input: z.strictObject({ job_id: z.string().min(1) }),
  output: answerSchema(ACCEPT_FIELDS),
  run: async (args, context) => {
    const { id } = context.bridge.job(args.job_id);
    return acceptAnswer(await context.bridge.reviews.undoAccept(id, context.caller), context);
  },
});
