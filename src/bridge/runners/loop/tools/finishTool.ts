import type { LoopTool } from './loopTool.ts';
import { ToolRefusal } from './toolRefusal.ts';
import { toolSpec } from './toolSpec.ts';

/** Ends the job; who drives the loop takes the report from the arguments. */
export function finishTool(): LoopTool {
  return {
    spec: toolSpec('finish', 'Ends the work. Call it once, when all is done and checked.', {
      report: {
        type: 'string',
        description: 'What was done, how it was checked, and what is left or unsure.',
        isRequired: true,
      },
    }),
    run: async (input) => {
      if (input.text('report').trim() === '') throw new ToolRefusal('The report is empty.');
      return { text: 'OK: the work has ended.', isError: false };
    },
  };
}
