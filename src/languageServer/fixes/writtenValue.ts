import { type ConfigPath, valueAt } from '../../config/configPath.ts';
import type { ModelsDocument } from '../modelsDocuments.ts';

/** What the document itself says at a path, right or wrong; undefined: nothing, or the text cannot be read. */
export function writtenValue({ parsed }: ModelsDocument, path: ConfigPath): unknown {
  const { document } = parsed;
  if (document === null || document.errors.length > 0) return undefined;
  try {
    return valueAt(document.toJS({ maxAliasCount: 100 }), path);
  } catch (error) {
    // An alias without an anchor, or too many of them; the problem that says so is another one.
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}
