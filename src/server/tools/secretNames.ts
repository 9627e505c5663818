import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { secretNames as contract } from '../../protocol/ui/secretNames.ts';
import { defineTool } from '../tool.ts';

export const secretNames = defineTool({
  name: 'secret_names',
  title: 'Names of secrets',
  description: 'The names of the secrets that are kept, and where. Never a value.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: (_args, { bridge }) => {
    const { names, keptIn } = bridge.secrets.state();
    return Promise.resolve({
      provenance: noModelProvenance(`${formatPlural(names.length, 'secret')} kept`),
      fields: { names, kept_in: keptIn },
    });
  },
});
