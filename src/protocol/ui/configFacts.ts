import * as z from 'zod';

/** Which endpoints the configuration names, and in which files. No endpoint is asked. */
export const configFacts = {
  input: z.strictObject({
    cwd: z.string().optional().describe('Folder whose configuration counts'),
  }),
  output: z.object({
    config_file: z.string(),
    is_existing: z.boolean(),
    sidecar_file: z.string(),
    endpoints: z.array(
      z.object({
        name: z.string(),
        base_url: z.string(),
        /** File or `$VARIABLE`; `default` for the one that is guessed while nothing names any. */
        source: z.string(),
      }),
    ),
    untrusted: z.array(z.string()),
  }),
};
