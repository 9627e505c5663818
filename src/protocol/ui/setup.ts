import * as z from 'zod';

/** What set-up can add to Claude Code, each part alone. */
export const SETUP_PARTS = ['registration', 'skill', 'hook', 'relay'] as const;
export type SetupPart = (typeof SETUP_PARTS)[number];

/**
 * One file, before and after. Not its whole text: ~/.claude.json is long and holds what is nobody's business. Whoever shows the
 * change reads the file itself and applies the splice.
 */
const fileChange = z.object({
  file: z.string(),
  /** Null: the file does not exist on that side. */
  before_sha256: z.string().nullable(),
  after_sha256: z.string().nullable(),
  /** In UTF-16 units of the text before, which is empty for a new file; null when the file is removed. */
  splice: z.object({ start: z.number(), delete_count: z.number(), insert: z.string() }).nullable(),
});

/**
 * Set-up of Claude Code. `plan-…` says what would be written and writes nothing; `install` and `remove` do it and answer with
 * what was written. A file that somebody changed since it was planned is not touched: `expect` carries the plan's hashes.
 */
export const setup = {
  input: z.strictObject({
    action: z.enum(['plan-install', 'plan-remove', 'install', 'remove']),
    parts: z.array(z.enum(SETUP_PARTS)).min(1).optional().describe('Default: all'),
    force: z
      .boolean()
      .optional()
      .describe('Also replace or remove what somebody has changed since it was written'),
    expect: z
      .array(z.object({ file: z.string(), before_sha256: z.string().nullable() }))
      .optional()
      .describe('Files as the plan saw them; no other is written'),
  }),
  output: z.object({
    /** The program that Claude Code is registered with. */
    launcher: z.string(),
    parts: z.array(
      z.object({
        part: z.enum(SETUP_PARTS),
        /** What it is, one sentence. */
        title: z.string(),
        /**
         * After the action. `outdated`: an older version of ours; `changed`: not, or no longer, as we write it; `unknown`: the
         * file cannot be read, the problem says why.
         */
        state: z.enum(['absent', 'installed', 'outdated', 'changed', 'unknown']),
        /** Why nothing was or can be done about this part; null when it can. */
        problem: z.string().nullable(),
        /** What is worth knowing although all went well. */
        note: z.string().nullable(),
        changes: z.array(fileChange),
      }),
    ),
  }),
};
