import type { ImportFrom } from '../../bridge/readImport.ts';
import { fromWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { keepImportKeys as contract } from '../../protocol/ui/importConfig.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import { defineTool } from '../tool.ts';

export const keepImportKeys = defineTool({
  name: 'keep_import_keys',
  title: 'Keep keys of an import',
  description:
    'Moves keys that stand in an imported file into the secret store, under the names that import_config has shown.',
  effect: 'destructive',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ cwd, from, names, source_sha256: sha256 }, { bridge, defaultCwd, signal }) => {
    const kept = await bridge.imports.keepKeys(
      fromWire(from) as ImportFrom,
      { names, sha256 },
      { cwd: cwd ?? defaultCwd, signal },
    );
    return {
      provenance: noModelProvenance(`kept ${formatPlural(kept.length, 'key')}`),
      fields: { kept },
    };
  },
});
