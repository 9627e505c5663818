import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { tryEndpoint as contract } from '../../protocol/ui/tryEndpoint.ts';
import { defineTool } from '../tool.ts';

export const tryEndpoint = defineTool({
  name: 'try_endpoint',
  title: 'Try endpoint',
  description:
    'Asks what answers at an address, and says the smallest entry for it. Writes nothing; of the kept keys it sends the one that is named.',
  effect: 'write', // it connects to whatever it is told
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async (
    { base_url: address, secret = null, model = null, check_tools: isToolCheckWanted = null },
    { bridge, defaultCwd, signal },
  ) => {
    const options = { secret, model, isToolCheckWanted };
    const tried = await bridge.endpoints.try(address, { ...options, cwd: defaultCwd, signal });
    return {
      provenance: noModelProvenance(`${tried.baseUrl} is ${tried.probe.state}`),
      fields: toWire(tried) as Record<string, unknown>,
    };
  },
});
