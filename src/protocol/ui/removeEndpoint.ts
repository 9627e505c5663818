import * as z from 'zod';

/** Takes back what registering an endpoint wrote; only while it has this address. */
export const removeEndpoint = {
  input: z.strictObject({ name: z.string().min(1), base_url: z.string().min(1) }),
  output: z.object({
    file: z.string(),
    is_still_there: z.boolean().describe('Another file names it too'),
  }),
};
