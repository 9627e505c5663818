import { sha256Of } from '../../bridge/sha256Of.ts';
import { fromWire, toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { noModelProvenance } from '../../protocol/mcpProvenance.ts';
import { importConfig as contract } from '../../protocol/ui/importConfig.ts';
import type { ImportFrom } from '../../bridge/readImport.ts';
import { defineTool } from '../tool.ts';

export const importConfig = defineTool({
  name: 'import_config',
  title: 'Import configuration',
  description:
    "Shows what another tool's configuration would add to models.yaml, as changes of its text. Writes nothing.",
  effect: 'read', // servers are asked in a trusted window alone; the engine looks
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ cwd, from, target, text }, { bridge, defaultCwd, signal }) => {
    const plan = await bridge.imports.plan(
      {
        from: fromWire(from) as ImportFrom,
        target: target ?? 'file',
        ...(text === undefined ? {} : { text }),
      },
      { cwd: cwd ?? defaultCwd, signal },
    );
    const { before, after, problems, ...rest } = plan;
    return {
      provenance: noModelProvenance(
        before === after
          ? `nothing of ${plan.source} is missing in ${plan.targetFile}`
          : `${plan.source} changes ${plan.targetFile}; nothing was written`,
      ),
      fields: toWire({
        ...rest,
        isNew: before === null,
        beforeSha256: sha256Of(before ?? ''),
        afterSha256: sha256Of(after),
        problems: problems.map(({ line, column, severity, message }) => ({
          ...{ line, column, severity, message },
        })),
      }) as Record<string, unknown>,
    };
  },
});
