import * as z from 'zod';

/** What "Collect Diagnostics" shows before anything is saved: a text without secrets. */
export const doctor = {
  input: z.strictObject({}),
  output: z.object({ report: z.string() }),
};
