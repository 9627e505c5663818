import * as z from 'zod';

/** Lets count what a folder brings along. `dry_run` shows it and trusts nothing; `fingerprint` trusts only what was shown. */
export const trust = {
  input: z.strictObject({
    path: z.string().min(1),
    revoke: z.boolean().optional(),
    dry_run: z.boolean().optional(),
    fingerprint: z.string().optional(),
  }),
  output: z.object({
    file: z.string(),
    keys: z.array(z.string()),
    values: z.array(z.object({ key: z.string(), value: z.string() })),
    is_used: z.boolean(),
    was_trusted: z.boolean(),
    fingerprint: z.string().nullable(),
  }),
};
