import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { makePractice as contract } from '../../protocol/ui/makePractice.ts';
import { defineTool } from '../tool.ts';

export const makePractice = defineTool({
  name: 'make_practice',
  title: 'Make practice repository',
  description: 'Makes a small repository with a red test in an empty folder, to try the bridge on.',
  effect: 'write',
  isIdempotent: false,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ folder }, { bridge }) => {
    const made = await bridge.makePracticeRepository(folder);
    return { provenance: noModelProvenance(`made ${made.folder}`), fields: made };
  },
});
