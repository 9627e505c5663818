import * as z from 'zod';

/** Runs a gate of the saved configuration on what is committed, in a tree of its own that goes afterwards. The call's signal ends it. */
export const tryGate = {
  input: z.strictObject({
    cwd: z.string().min(1).describe('Folder in the repository'),
    gate: z.string().min(1),
  }),
  output: z.object({
    /** By the exit status alone. */
    status: z.enum(['passed', 'failed']),
    /** Null: it was ended, by its time limit, or could not be started. */
    exit: z.number().int().nullable(),
    /** The end of what it printed. */
    tail: z.string(),
    duration_s: z.number(),
    /** The commit that was judged. */
    commit: z.string(),
    /** What is odd about the tree: files that are only in the checkout, say. */
    warnings: z.array(z.string()),
  }),
};
