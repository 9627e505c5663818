import * as z from 'zod';

/** A small repository with a red test, to try the bridge on. */
export const makePractice = {
  input: z.strictObject({ folder: z.string().min(1) }),
  output: z.object({ folder: z.string() }),
};
