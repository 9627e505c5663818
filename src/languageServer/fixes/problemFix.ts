import type { ConfigPath } from '../../config/configPath.ts';
import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';

/** Something that puts a problem right. Which one, when there are several, is the person's word. */
export type ProblemFix =
  | { readonly title: string; readonly edits: readonly ConfigEdit[] }
  /** No change of the text alone: the key is kept under this name first, then a reference to it is written. */
  | {
      readonly title: string;
      readonly moveSecret: { readonly path: ConfigPath; readonly name: string };
    };
