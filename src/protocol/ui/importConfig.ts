import * as z from 'zod';

export const importKindSchema = z.enum([
  'localagents',
  'litellm',
  'environment',
  'ollama',
  'lmstudio',
]);
export type ImportKind = z.infer<typeof importKindSchema>;

const from = z.strictObject({
  kind: importKindSchema,
  path: z
    .string()
    .min(1)
    .optional()
    .describe('File of localagents or LiteLLM, as a person chose it'),
  base_url: z.string().min(1).optional().describe('Where the server listens; default: as usual'),
  as: z.enum(['gateway', 'direct']).optional().describe('LiteLLM itself, or the servers behind it'),
});

/** What an import would change in models.yaml. Writes nothing. */
export const importConfig = {
  input: z.strictObject({
    cwd: z.string().optional(),
    from,
    target: z.enum(['file', 'sidecar']).optional(),
    text: z.string().optional().describe('The file to change as an editor has it, saved or not'),
  }),
  output: z.object({
    source: z.string(),
    source_sha256: z.string(),
    target_file: z.string(),
    is_new: z.boolean().describe('There is no such file yet'),
    before_sha256: z.string(),
    after_sha256: z.string(),
    /** UTF-16 offsets in the text before, in order; whoever applies them compares what comes out with `after_sha256`. */
    replacements: z.array(z.object({ start: z.number(), end: z.number(), new_text: z.string() })),
    notes: z.array(z.string()),
    secrets: z.array(z.object({ name: z.string(), source: z.string(), is_kept: z.boolean() })),
    problems: z.array(
      z.object({
        line: z.number(),
        column: z.number(),
        severity: z.enum(['error', 'warning']),
        message: z.string(),
      }),
    ),
  }),
};

/** Moves keys that stand in a source into the secret store, under the names that the import gave them. */
export const keepImportKeys = {
  input: z.strictObject({
    cwd: z.string().optional(),
    from,
    names: z.array(z.string().min(1)).min(1).max(200),
    source_sha256: z.string(),
  }),
  output: z.object({ kept: z.array(z.string()) }),
};

/** What there is to import on this machine, as far as looking at the usual places says. */
export const importSources = {
  input: z.strictObject({ cwd: z.string().optional() }),
  output: z.object({
    found: z.array(
      z.object({
        kind: importKindSchema,
        path: z.string().nullable(),
        base_url: z.string().nullable(),
        detail: z.string(),
      }),
    ),
  }),
};
