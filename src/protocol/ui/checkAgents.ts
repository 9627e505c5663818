import * as z from 'zod';
import { agentsViewFields } from '../agentsView.ts';

const { agents, folders, folder } = agentsViewFields;

/** Agent and skill definitions of a folder as an editor has them, saved or not. No endpoint is asked. */
export const checkAgents = {
  input: z.strictObject({
    cwd: z.string().describe('Folder whose definitions and configuration count'),
    open: z
      .array(z.object({ path: z.string(), text: z.string().max(300_000) }))
      .max(100)
      .optional()
      .describe('What an editor has open instead of what is on disk'),
    served: z
      .array(z.string())
      .max(10_000)
      .optional()
      .describe('Names that endpoints answer for, if they were asked'),
  }),
  output: z.object({ folder, agents, folders }),
};
