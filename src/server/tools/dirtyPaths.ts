import * as z from 'zod';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { defineTool } from '../tool.ts';

export const dirtyPaths = defineTool({
  name: 'dirty_paths',
  title: 'Unsaved files',
  description:
    'Tells the store which files a window has unsaved text of, so that no accept writes below it.',
  effect: 'write',
  isIdempotent: true,
  input: z.strictObject({ window: z.string().min(1), paths: z.array(z.string()).max(10_000) }),
  output: answerSchema({ count: z.number().int() }),
  run: async ({ window, paths }, { bridge }) => {
    bridge.setDirtyPaths(window, paths);
    return {
      provenance: noModelProvenance(`${paths.length} unsaved files noted`),
      fields: { count: paths.length },
    };
  },
});
