import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { removeEndpoint as contract } from '../../protocol/ui/removeEndpoint.ts';
import { defineTool } from '../tool.ts';

export const removeEndpoint = defineTool({
  name: 'remove_endpoint',
  title: 'Remove endpoint',
  description: 'Takes back what registering an endpoint wrote; models.yaml itself is not touched.',
  effect: 'destructive',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ name, base_url: baseUrl }, { bridge, defaultCwd }) => {
    const { file, isStillThere } = await bridge.endpoints.remove(name, baseUrl, defaultCwd);
    return {
      provenance: noModelProvenance(`took ${name} out of ${file}`),
      fields: { file, is_still_there: isStillThere },
    };
  },
});
