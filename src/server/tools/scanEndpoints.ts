import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { scanEndpoints as contract } from '../../protocol/ui/scanEndpoints.ts';
import { defineTool } from '../tool.ts';

export const scanEndpoints = defineTool({
  name: 'scan_endpoints',
  title: 'Scan for endpoints',
  description:
    'Asks the ports of this machine on which model servers usually listen. Writes nothing and sends no key.',
  effect: 'write', // it connects, which an untrusted window does not
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ ports }, { bridge, defaultCwd, signal }) => {
    const report = await bridge.endpoints.scan({
      cwd: defaultCwd,
      signal,
      ...(ports === undefined ? {} : { ports }),
    });
    return {
      provenance: noModelProvenance(
        `${formatPlural(report.found.length, 'model server')} on this machine`,
      ),
      fields: toWire(report) as Record<string, unknown>,
    };
  },
});
