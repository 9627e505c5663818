import type { BridgeContext } from './bridgeContext.ts';
import {
  importConfig,
  type ImportOptions,
  type ImportPlan,
  type ImportRequest,
  keepImportKeys,
} from './importConfig.ts';
import { importSources, type ImportSource } from './importSources.ts';
import type { ImportFrom } from './readImport.ts';
import { writeImport } from './writeImport.ts';

/** What other tools' configurations would add to models.yaml. */
export class Imports {
  readonly #context: BridgeContext;

  constructor(context: BridgeContext) {
    this.#context = context;
  }

  /** What there is to import at the usual places. */
  async sources(options: ImportOptions): Promise<ImportSource[]> {
    return importSources(this.#context, options);
  }

  /** What one would change. Nothing is written. */
  async plan(request: ImportRequest, options: ImportOptions): Promise<ImportPlan> {
    return importConfig(this.#context, request, options);
  }

  write(plan: ImportPlan): void {
    this.#context.assertUnrestricted();
    writeImport(plan);
  }

  /** Moves keys of an import into the secret store; returns their names. */
  async keepKeys(
    from: ImportFrom,
    wanted: { readonly names: readonly string[]; readonly sha256: string },
    options: ImportOptions,
  ): Promise<string[]> {
    this.#context.assertUnrestricted();
    return keepImportKeys(this.#context, from, wanted, options);
  }
}
