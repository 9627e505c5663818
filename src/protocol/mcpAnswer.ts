import * as z from 'zod';

/** What every tool result has, whatever the tool: the shape that clients may rely on. */

/** Errors are values: a client branches on `kind` and shows `message` and `hint`. */
const toolErrorSchema = z.looseObject({
  kind: z.string().describe('Stable word to branch on'),
  message: z.string().describe('What happened and where, one sentence'),
  hint: z.string().describe('What to do next; empty when there is nothing to add'),
});

const configProblemSchema = z.looseObject({
  file: z.string(),
  line: z.number().int().describe('From 1; 0 when the problem has no place in a text'),
  column: z.number().int(),
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  suggestion: z.string().nullable(),
});

const ANSWER_FIELDS = {
  ok: z.boolean(),
  provenance: z.string().describe('Who answered, where, which rule, fallback, gate'),
  error: toolErrorSchema.optional().describe('Present when ok is false'),
  config_stale: z
    .boolean()
    .optional()
    .describe('The configuration has errors and the last good version is in use'),
  problems: z
    .array(configProblemSchema)
    .optional()
    .describe('What is wrong in the configuration, and where'),
  truncated: z.boolean().optional().describe('Parts were cut to fit; "resource" has the whole'),
  resource: z.string().optional().describe('URI of the whole result'),
} as const;

/** The output schema of a tool: its own fields, all of which are absent in an error, beside those of every answer. */
export function answerSchema(fields: Record<string, z.ZodType>): z.ZodObject {
  const own = Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, schema.optional()]),
  );
  return z.looseObject({ ...ANSWER_FIELDS, ...own });
}
