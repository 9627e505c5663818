import * as z from 'zod';

/** Which keys are kept, by name. No tool answers with a value. */
export const secretNames = {
  input: z.strictObject({}),
  output: z.object({
    names: z.array(z.string()),
    kept_in: z.enum(['file', 'keychain']),
  }),
};
