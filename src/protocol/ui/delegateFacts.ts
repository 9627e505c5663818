import * as z from 'zod';
import { policySchema } from '../job.ts';

/** What a person has to know of a folder before handing over work in it. Asks no endpoint. */
export const delegateFacts = {
  input: z.strictObject({
    cwd: z.string().min(1),
    paths: z
      .array(z.string().min(1))
      .optional()
      .describe('Absolute paths below cwd, to be told which of them git ignores'),
  }),
  output: z.object({
    /** Real path of the repository's top; null outside git. */
    repo_root: z.string().nullable(),
    has_commits: z.boolean(),
    /** Files that differ from the last commit, new ones included: a worktree does not have them. Null outside git. */
    uncommitted: z.number().int().nullable(),
    /** Of the paths asked about, those that git ignores. */
    ignored: z.array(z.string()),
    gates: z.array(z.object({ name: z.string(), kind: z.string(), run: z.string().nullable() })),
    /** Agent and skill definitions that a job there can be given, those of the project first; each name once. */
    agents: z.array(z.object({ name: z.string(), description: z.string() })),
    defaults: z.object({
      /** The configured one; the loop where that is Claude Code and it is not installed. */
      runner: z.enum(['claude-code', 'loop']),
      model: z.string().nullable(),
      policy: policySchema,
      isolation: z.enum(['worktree', 'none']),
    }),
  }),
};
