import type { ModelsFile } from '../schema.ts';
import type { LiteralKeys } from './literalKeys.ts';

/** What another tool's configuration says in the words of models.yaml. */
export interface Imported {
  /** The smallest file that says it. It refers to keys and never holds one. */
  readonly file: ModelsFile;
  /** What was left out or changed, and why; one sentence each, safe to show. */
  readonly notes: readonly string[];
  /** Keys that stood in the source as text, by the name that `file` refers to. */
  readonly literals: LiteralKeys;
}
