import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { addEndpoint as contract } from '../../protocol/ui/addEndpoint.ts';
import { defineTool } from '../tool.ts';

export const addEndpoint = defineTool({
  name: 'add_endpoint',
  title: 'Add endpoint',
  description:
    "As register_endpoint, by a person: the kept secret it names becomes the server's key, as a reference.",
  effect: 'write',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ name, base_url: baseUrl, backend, notes, secret }, { bridge, defaultCwd }) => {
    const entry = {
      baseUrl,
      ...(backend === undefined ? {} : { backend }),
      ...(notes === undefined ? {} : { notes }),
      ...(secret === undefined ? {} : { secret }),
    };
    const { file, probe } = await bridge.endpoints.register(name, entry, defaultCwd);
    return {
      provenance: noModelProvenance(`wrote ${name} to ${file}; it is ${probe.state}`),
      fields: { endpoint: name, file, probe: toWire(probe) },
    };
  },
});
