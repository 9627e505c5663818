import * as z from 'zod';

/** What set-up can add to Claude Code, each part alone. */
export const SETUP_PARTS = ['registration', 'skill', 'hook', 'relay'] as const;
export type SetupPart = (typeof SETUP_PARTS)[number];

/**
 * Set-up of Claude Code. `plan` says what would be written and writes nothing; `install` and `remove` do it and answer with what was
 * written. A file that somebody changed since it was planned is not touched: `expect` carries the plan's hashes.
 */
export const setup = {
  input: z.strictObject({
    action: z.enum(['plan-install', 'plan-remove', 'install', 'remove']),
    parts: z.array(z.enum(SETUP_PARTS)).min(1).optional().describe('Default: all'),
    expect: z
      .array(z.object({ file: z.string(), before_sha256: z.string().nullable() }))
      .optional()
      .describe('Files as the plan saw them'),
  }),
  output: z.object({
    parts: z.array(
      z.object({
        part: z.enum(SETUP_PARTS),
        /** What it is, one sentence. */
        title: z.string(),
        state: z.enum(['absent', 'installed', 'outdated', 'changed']),
        /** Why nothing can be done about this part; null when it can. */
        problem: z.string().nullable(),
        changes: z.array(
          z.object({
            file: z.string(),
            /** Null: the file does not exist on that side. */
            before: z.string().nullable(),
            after: z.string().nullable(),
            before_sha256: z.string().nullable(),
          }),
        ),
      }),
    ),
  }),
};
