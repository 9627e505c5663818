import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { importSources as contract } from '../../protocol/ui/importConfig.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { defineTool } from '../tool.ts';

export const importSources = defineTool({
  name: 'import_sources',
  title: 'Find configurations to import',
  description:
    'Looks at the usual places of other tools, and in a trusted window for an Ollama and an LM Studio on this machine.',
  effect: 'read', // servers are asked in a trusted window alone; the engine looks
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ cwd }, { bridge, defaultCwd, signal }) => {
    const found = await bridge.imports.sources({ cwd: cwd ?? defaultCwd, signal });
    return {
      provenance: noModelProvenance(`found ${formatPlural(found.length, 'source')}`),
      fields: { found: toWire(found) },
    };
  },
});
