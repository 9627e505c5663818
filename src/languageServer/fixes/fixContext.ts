import type { ConfigPath } from '../../config/configPath.ts';
import type { ConfigProblem } from '../../config/problem.ts';
import type { ModelsDocument } from '../modelsDocuments.ts';

/** A problem with what is needed to put it right. */
export interface FixContext {
  readonly doc: ModelsDocument;
  readonly problem: ConfigProblem;
  readonly path: ConfigPath;
}
