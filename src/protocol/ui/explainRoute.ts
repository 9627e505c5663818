import * as z from 'zod';
import { policySchema } from '../job.ts';

/** Where a job would run right now. That it could run nowhere is an error of the call. */
export const explainRoute = {
  input: z.strictObject({
    model: z.string().optional(),
    endpoint: z.string().optional(),
    policy: policySchema.optional(),
    cwd: z.string().optional(),
  }),
  output: z.object({
    rule: z.string().nullable(),
    endpoint: z.string().nullable(),
    model: z.string().nullable(),
    pool: z.string().nullable(),
    warnings: z.array(z.string()),
  }),
};
