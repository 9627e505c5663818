import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { doctor as contract } from '../../protocol/ui/doctor.ts';
import { defineTool } from '../tool.ts';

export const doctor = defineTool({
  name: 'doctor',
  title: 'Diagnostics',
  description: 'Which folders, files, programs and values are in force, as a text without secrets.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async (_args, { bridge, defaultCwd }) => ({
    provenance: noModelProvenance('read from the configuration'),
    fields: { report: await bridge.doctorReport(defaultCwd) },
  }),
});
