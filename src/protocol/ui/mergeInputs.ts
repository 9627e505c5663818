import * as z from 'zod';

/** The texts for a merge editor, as they would lie in the checkout; `result` has markers where base, yours and job do not agree. */
export const mergeInputs = {
  input: z.strictObject({ job_id: z.string().min(1), path: z.string().min(1) }),
  output: z.object({
    base_base64: z.string(),
    yours_base64: z.string(),
    job_base64: z.string(),
    result_base64: z.string(),
  }),
};
