import { fromWire, toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { setup as contract } from '../../protocol/ui/setup.ts';
import type { SetupRequest } from '../../bridge/setup/setupTypes.ts';
import { defineTool } from '../tool.ts';

export const setup = defineTool({
  name: 'setup',
  title: 'Set up Claude Code',
  description:
    'Plans, writes or removes what Claude Code needs to use this server: registration, skill, prompt hook, relay agent.',
  effect: 'destructive',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async (args, { bridge }) => {
    const report = await bridge.setUp(fromWire(args) as SetupRequest);
    const states = report.parts.map(({ part, state }) => `${part} ${state}`).join(', ');
    return {
      provenance: noModelProvenance(`set-up of Claude Code: ${states}`),
      // VS Code reads the fields; whole texts would be there twice.
      text: states,
      fields: toWire(report) as Record<string, unknown>,
    };
  },
});
